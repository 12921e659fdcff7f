// Prints docs/LAB_FILES.md, for `make lab_files`. Usage: write_lab_keys_page FILE
#include <cstdio>
#include <fstream>

#include "lab/lab_keys.h"

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: write_lab_keys_page FILE\n", stderr);
    return 2;
  }
  std::ofstream file(words[1], std::ios::binary);
  file << cudalabs::lab_keys_page() << std::flush;
  if (file) return 0;
  std::fprintf(stderr, "%s: this file cannot be written\n", words[1]);
  return 1;
}
