// The three loops in the order that reads B and writes C along their rows: what a C++ programmer with one core would
// write, and a compiler vectorises.
#include "product.h"

#include <cstddef>

void pinned_product(const float* a, const float* b, float* c, int m, int n, int p) {
  for (int row = 0; row < m; ++row) {
    float* sums = c + static_cast<std::size_t>(row) * p;
    for (int col = 0; col < p; ++col) sums[col] = 0;
    for (int k = 0; k < n; ++k) {
      const float factor = a[static_cast<std::size_t>(row) * n + k];
      const float* b_row = b + static_cast<std::size_t>(k) * p;
      for (int col = 0; col < p; ++col) sums[col] += factor * b_row[col];
    }
  }
}
