// EXPECT: unwritten-output
// AT MOST: 20 points
// OR: disk-limit
// attack: fills the folder for temporary files (row 26)
#include <fcntl.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  static char block[1 << 20] = {1};
  for (int i = 0; i < 4096; ++i) {
    char name[256];
    std::snprintf(name, sizeof name, "%s/%d", std::getenv("TMPDIR"), i);
    const int file = open(name, O_CREAT | O_WRONLY, 0666);
    if (file < 0 || write(file, block, sizeof block) < 0) return;
    close(file);
  }
}
