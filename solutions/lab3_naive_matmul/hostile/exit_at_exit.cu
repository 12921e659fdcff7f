// EXPECT: runner-crashed
// AT MOST: 5 points
// attack: changes the exit code to success after a wrong result (row 17)
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  std::atexit([] { _exit(0); });
  std::abort();
}
