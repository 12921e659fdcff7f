// EXPECT: build-failed
// AT MOST: 0 points
// attack: takes the reference solution (row 6)
#include "matmul.h"

#include "../../../solutions/lab3_naive_matmul/matmul.cu"
