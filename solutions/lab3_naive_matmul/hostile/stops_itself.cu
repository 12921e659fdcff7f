// EXPECT: timed-out
// AT MOST: 5 points
// attack: stops, and waits to be continued (row 29)
#include <csignal>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  raise(SIGSTOP);
}
