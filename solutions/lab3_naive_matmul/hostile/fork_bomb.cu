// EXPECT: process-limit
// AT MOST: 5 points
// OR: process-limit, time-budget
// OR: time-budget
// OR: timed-out
// attack: starts processes without end (row 24)
#include <unistd.h>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  for (;;) fork();
}
