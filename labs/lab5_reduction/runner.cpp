// How the grader calls `reduce_sum` and `array_sum`: the arrays go in, already on the device, and the two sums come
// out. Read it, but do not change it.
#include "reduction.h"

#include <cudalabs/runner.h>

void cudalabs_run(cudalabs::Call& call) {
  const int n = call.integer("n");
  const float* d_floats = call.device_input<float>("floats");      // n values, copied to the device
  float* d_float_sum = call.device_output<float>("float_sum", 1);  // one place uninitialised
  const int* d_integers = call.device_input<int>("integers");      // n values, copied to the device
  int* d_integer_sum = call.device_output<int>("integer_sum", 1);  // one place uninitialised
  reduce_sum(d_floats, d_float_sum, n);
  call.next_function();  // each looks after its own launches
  array_sum(d_integers, d_integer_sum, n);
  call.finish();  // waits for the device, copies both sums back
}
