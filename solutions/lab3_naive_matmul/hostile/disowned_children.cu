// EXPECT: time-budget
// AT MOST: 5 points
// attack: computes in children that nobody waits for (rows 24 and 29)
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <ctime>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  signal(SIGCHLD, SIG_IGN);
  for (int child = 0; child < 16; ++child) {
    if (fork() != 0) continue;
    while (clock() < 4 * CLOCKS_PER_SEC) {
    }
    _exit(0);
  }
  while (wait(nullptr) > 0) {
  }
}
