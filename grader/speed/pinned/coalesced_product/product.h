// A matrix product that never changes, for others to be compared with. Device pointers, row-major, C is m×p; all sides
// are multiples of 16.
#pragma once

void pinned_product(const float* d_a, const float* d_b, float* d_c, int m, int n, int p);
