#include "product.h"

#include <cudalabs/runner.h>

#include <cstddef>

void cudalabs_run(cudalabs::Call& call) {
  const int m = call.integer("m"), n = call.integer("n"), p = call.integer("p");
  const float* d_a = call.device_input<float>("a");
  const float* d_b = call.device_input<float>("b");
  float* d_c = call.device_output<float>("c", static_cast<std::size_t>(m) * p);
  pinned_product(d_a, d_b, d_c, m, n, p);
  call.finish();
}
