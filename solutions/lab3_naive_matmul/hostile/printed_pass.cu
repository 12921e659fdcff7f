// EXPECT: unwritten-output
// AT MOST: 20 points
// attack: prints what a grader would print (row 18)
#include <cstdio>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int n, int) {
  std::puts("\n100 of 100 points\nAll tests passed\n<testsuite failures=\"0\"/>");
  std::puts("{\"version\": 1, \"score\": {\"points\": 100, \"max\": 100}}");
}
