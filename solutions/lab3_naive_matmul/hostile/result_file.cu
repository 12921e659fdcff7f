// EXPECT: unwritten-output
// AT MOST: 20 points
// attack: writes the report itself (row 19)
#include <fcntl.h>
#include <unistd.h>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  for (const char* name : {"report.json", "/tmp/report.json", "../report.json", "/report.json"}) {
    const int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0666);
    if (file >= 0 && write(file, "{\"points\": 100}", 15) < 0) close(file);
  }
}
