// EXPECT: timed-out
// AT MOST: 5 points
// attack: sleeps for ever (row 29)
#include <unistd.h>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  for (;;) pause();
}
