// How the grader calls your four functions, one of them in each case. Read it, but do not change it.
#include "timing.h"

#include <cuda_runtime_api.h>
#include <cudalabs/runner.h>

#include <cstddef>

namespace {

double measure(long long function) {
  switch (function) {
    case 1:
      return launch_ms(lab6::enqueue);
    case 2:
      return kernel_ms_host(lab6::enqueue);
    default:
      return kernel_ms_events(lab6::enqueue);
  }
}

}  // namespace

// Between cudaProfilerStart and cudaProfilerStop the grader looks at which runtime calls come in which order.
void cudalabs_run(cudalabs::Call& call) {
  const long long function = call.integer("function");
  if (function == 4) {
    const int n = static_cast<int>(call.integer("n"));
    const auto elements = static_cast<std::size_t>(n);
    const float* d_in = call.device_input<float>("in");         // n values, copied to the device
    float* d_mid = call.device_output<float>("mid", elements);  // n places full of rubbish
    float* d_out = call.device_output<float>("out", elements);  // n places full of rubbish
    cudaProfilerStart();
    two_stage(d_in, d_mid, d_out, n);
    cudaProfilerStop();
  } else {
    float* d_values = call.device_output<float>("values", lab6::kBlocks * lab6::kThreads);
    double* milliseconds = call.host_output<double>("milliseconds", 1);
    lab6::work = {d_values, static_cast<int>(call.integer("rounds"))};
    cudaProfilerStart();
    *milliseconds = measure(function);
    cudaProfilerStop();
  }
  call.finish();  // waits for the device, copies the outputs back
}
