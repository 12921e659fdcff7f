// EXPECT: runner-crashed
// AT MOST: 5 points
// attack: ends with success in the middle (row 17)
#include <unistd.h>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  _exit(0);
}
