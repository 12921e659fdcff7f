// Prints docs/INSTRUCTIONS_AND_CALLS.md, for `make instructions_and_calls`. Usage: write_coverage_page FILE
#include <cstdio>
#include <exception>

#include "report/write_file.h"
#include "sanitizer/coverage_page.h"

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: write_coverage_page FILE\n", stderr);
    return 2;
  }
  try {
    cudalabs::write_file(words[1], cudalabs::sanitizer::coverage_page());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
