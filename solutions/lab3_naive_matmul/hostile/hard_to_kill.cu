// EXPECT: timed-out
// AT MOST: 5 points
// attack: children that ignore, block, stop and wait for each other in the kernel (row 57)
#include <cuda_runtime.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <csignal>
#include "matmul.h"

void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  for (int signal = 1; signal < 65; ++signal) std::signal(signal, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, 0);
  for (int i = 0; i < 4; ++i) {
    if (fork() != 0) continue;
    setsid();
    if (i % 2 == 0) raise(SIGSTOP);
    // Who has made a child in its own memory waits for it in the kernel.
    if (vfork() == 0) {
      for (;;) pause();
    }
  }
  for (;;) pause();
}
