// EXPECT: process-limit
// AT MOST: 5 points
// attack: starts processes without end (row 24)
#include <unistd.h>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  for (;;) fork();
}
