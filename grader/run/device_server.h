// The virtual GPU of one case: what it is asked to do, and what it saw.
#pragma once

#include <memory>

#include "run/device_host.h"
#include "run/device_process.h"
#include "run/run.h"
#include "sandbox/budget.h"
#include "sandbox/fd.h"
#include "sandbox/sandbox.h"
#include "vgpu/cudart/mutants.h"
#include "vgpu/cudart/server_report.h"
#include "vgpu/cudart/transfers.h"

namespace cudalabs::runner {

class DeviceServer {
 public:
  /// Serves the runner of `request`, whose job gets the other end of the connection. `host` must outlive it.
  DeviceServer(DeviceHost& host, const RunRequest& request, const Limits& limits, sandbox::Job& runner);

  /// Waits for its end, which follows its client's, and reads its report: one with `exhausted` alone when the client
  /// made it pass its limits. Throws std::runtime_error when the server failed: its own fault, whatever the client did.
  /// `meter`: of the run, whose client has used `client_seconds` of processor time; once it is over, the server is
  /// ended and its report is empty.
  vgpu::ServerReport finish(sandbox::Meter& meter, double client_seconds);
  /// Asks for its report now, instead of when all work that its client has left is done.
  void ask_to_end();
  /// It was asked to end, or ended, because the meter was over.
  bool over_budget() const { return over_budget_; }

  /// Of its process, while it runs.
  pid_t id() const { return process_->id(); }
  /// After `finish`, of a request to record them. Throws vgpu::TransferError when the server did not write them.
  vgpu::TransferLog transfers() const;
  /// Likewise, of a request for mutants. Throws vgpu::MutantError.
  vgpu::MutantLog mutants() const;

 private:
  sandbox::Fd report_, transfers_, mutants_;
  sandbox::Limits limits_;
  bool over_budget_ = false;
  std::unique_ptr<DeviceProcess> process_;
};

}  // namespace cudalabs::runner
