// EXPECT: time-budget, unwritten-output
// AT MOST: 20 points
// attack: takes in every case a little less than it may (row 29)
#include <ctime>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  while (clock() < 4 * CLOCKS_PER_SEC) {
  }
}
