// A case without n asks for the device's facts.
#include "copy.h"

#include <cudalabs/runner.h>

void cudalabs_run(cudalabs::Call& call) {
  const int n = call.integer("n");
  if (n == 0) {
    device_facts(call.host_output<int>("facts", 4));
  } else {
    copy_floats(call.device_input<float>("in"), call.device_output<float>("out", n), n);
  }
  call.finish();
}
