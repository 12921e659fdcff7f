// The runner's main: sets up, waits for GO, lets the lab call the submission once, and hands the outputs over.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <new>

#include "run/harness/call_owner.h"
#include "run/harness/channel.h"
#include "run/harness/fault.h"

int main() {
  using namespace cudalabs::harness;
  // What the submission prints must be out when it crashes.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  report_faults();
  std::set_new_handler([] { give_up(Said::out_of_memory, "no memory left"); });
  // Makes the context and loads the kernels now, so that the clock does not see it. An error shows again later.
  cudaFree(nullptr);
  say(Said::ready);
  cudalabs::CallOwner owner(receive_go());
  cudalabs_run(owner.call());
  owner.require_finished();
  say(Said::done);
  owner.clean_up();
  return 0;
}
