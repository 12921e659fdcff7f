#include "product.h"

#include <cudalabs/runner.h>

#include <cstddef>

void cudalabs_run(cudalabs::Call& call) {
  const int m = call.integer("m"), n = call.integer("n"), p = call.integer("p");
  const float* a = call.host_input<float>("a");
  const float* b = call.host_input<float>("b");
  float* c = call.host_output<float>("c", static_cast<std::size_t>(m) * p);
  pinned_product(a, b, c, m, n, p);
  call.finish();
}
