// EXPECT: unwritten-output
// AT MOST: 20 points
// attack: prints every file that it can find (row 21)
#include <fcntl.h>
#include <unistd.h>
#include <cstdio>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int n, int) {
  for (const char* name : {CUDALABS_CANARY, "/etc/passwd", "/proc/1/environ", "/proc/1/maps", "/proc/self/mountinfo"}) {
    const int file = open(name, O_RDONLY);
    char text[256] = {};
    if (file >= 0 && read(file, text, 255) > 0) std::printf("%s\n", text);
  }
}
