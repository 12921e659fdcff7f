// A matrix product on one core of the host. Host pointers, row-major, C is m×p.
#pragma once

void pinned_product(const float* a, const float* b, float* c, int m, int n, int p);
