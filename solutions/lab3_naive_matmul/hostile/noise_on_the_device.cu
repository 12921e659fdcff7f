// EXPECT: protocol-error
// AT MOST: 5 points
// attack: writes to the connection with the device
#include <unistd.h>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  char noise[4096];
  for (int i = 0; i < 4096; ++i) noise[i] = char(i * 31);
  if (write(4, noise, sizeof noise) < 0) return;
}
