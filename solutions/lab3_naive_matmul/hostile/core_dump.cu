// EXPECT: runner-crashed
// AT MOST: 5 points
// attack: leaves its memory in a file (row 35)
#include <sys/resource.h>
#include <cstdlib>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_CORE, &all);
  std::abort();
}
