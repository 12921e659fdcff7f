// EXPECT: timed-out
// AT MOST: 5 points
// attack: computes for ever, and ignores every request to end (row 29)
#include <csignal>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
  for (volatile long i = 0;; i = i + 1) {
  }
}
