// The runner's main: sets up, waits for GO, lets the lab call the submission, and hands the outputs over.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <new>

#include "run/harness/call_owner.h"
#include "run/harness/channel.h"
#include "run/harness/fault.h"
#include "run/harness/measurement.h"

// In our own runtime only: says that the submission is called now.
extern "C" __attribute__((weak)) cudaError_t cudalabs_hand_out();

namespace {

using namespace cudalabs::harness;

void run_case(const Received& received) {
  cudalabs::CallOwner owner(received);
  if (cudalabs_hand_out != nullptr) cudalabs_hand_out();
  watch_exits(true);
  cudalabs_run(owner.call());
  watch_exits(false);
  owner.require_finished();
  say(MessageType::done);
  owner.clean_up();
}

/// Until the grader closes its end.
void serve(Received received) {
  do {
    switch (received.go.work) {
      case Work::only_case:
        return run_case(received);
      case Work::case_:
        run_case(received);
        break;
      case Work::pools:
        keep_pools(received);
        break;
      case Work::measure:
        measure(received);
        break;
    }
  } while (receive_go(received));
}

}  // namespace

int main() {
  // What the submission prints must be out when it crashes.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  report_faults();
  std::set_new_handler([] { give_up(MessageType::out_of_memory, "no memory left"); });
  // Makes the context and loads the kernels now, so that the clock does not see it. The virtual GPU shows an error
  // again later.
  const cudaError_t error = cudaFree(nullptr);
  say(MessageType::ready, error == cudaSuccess ? "" : cudaGetErrorString(error));
  Received received;
  if (receive_go(received)) serve(received);
  return 0;
}
