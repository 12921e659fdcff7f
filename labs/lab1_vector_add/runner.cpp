// How the grader calls `vector_add`: with host memory, like any C++ function. Read it, but do not change it.
#include "vector_add.h"

#include <cudalabs/runner.h>

void cudalabs_run(cudalabs::Call& call) {
  const int n = call.integer("n");
  const float* a = call.host_input<float>("a");  // n values
  const float* b = call.host_input<float>("b");  // n values
  float* c = call.host_output<float>("c", n);    // n places uninitialised
  vector_add(a, b, c, n);
  call.finish();
}
