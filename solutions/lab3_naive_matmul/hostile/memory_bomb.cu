// EXPECT: memory-limit
// AT MOST: 5 points
// OR: memory-limit, time-budget
// attack: takes all memory there is (row 25)
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "matmul.h"

void* volatile keep;  // or the compiler would take the allocation out

void matmul(const float*, const float*, float*, int, int, int) {
  for (;;) {
    void* more = keep = std::malloc(1 << 24);
    if (more == nullptr) std::abort();
    std::memset(more, 1, 1 << 24);
  }
}
