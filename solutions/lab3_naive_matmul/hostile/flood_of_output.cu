// EXPECT: output-limit
// AT MOST: 5 points
// attack: prints without end (row 27)
#include <cstdio>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  for (;;) std::puts("full marks");
}
