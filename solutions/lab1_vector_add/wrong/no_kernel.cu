// EXPECT: computed-on-the-host, no-kernel
// FIRST: no-kernel at `c[i] = a[i] + b[i]`
// The sums are right, but the host has computed them.
#include "vector_add.h"

void vector_add(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];  // wrong: on the host
}
