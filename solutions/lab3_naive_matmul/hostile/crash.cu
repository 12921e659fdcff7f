// EXPECT: runner-crashed
// AT MOST: 5 points
// attack: follows a null pointer (row 36)
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  *static_cast<volatile int*>(nullptr) = 1;
}
