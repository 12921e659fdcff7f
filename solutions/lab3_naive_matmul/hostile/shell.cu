// EXPECT: unwritten-output
// AT MOST: 20 points
// attack: runs a shell (row 31)
#include <cstdio>
#include <cstdlib>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  if (std::system("echo the-canary-was-read") == 0) std::puts("the-canary-was-read");
}
