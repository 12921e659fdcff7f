// EXPECT: time-budget, unwritten-output
// AT MOST: 20 points
// attack: sleeps in every case a little less than it may (row 29)
#include <unistd.h>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  usleep(3500000);
}
