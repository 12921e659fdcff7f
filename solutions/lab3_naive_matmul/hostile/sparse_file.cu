// EXPECT: runner-crashed
// AT MOST: 5 points
// attack: a file of a tebibyte with nothing in it (row 26)
#include <fcntl.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  const std::string name = std::string(std::getenv("TMPDIR")) + "/sparse";
  const int file = open(name.c_str(), O_CREAT | O_WRONLY, 0666);
  if (ftruncate(file, 1ll << 40) != 0) std::puts("refused");
}
