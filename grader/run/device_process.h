// One of the processes in which the virtual GPU serves a case: grouped, limited, watched and ended by itself, whatever
// else its server does.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <optional>

#include "run/device_host.h"
#include "sandbox/control_group.h"
#include "sandbox/fd.h"
#include "sandbox/sandbox.h"
#include "vgpu/cudart/serve_order.h"

namespace cudalabs::runner {

/// What it works with; closed on this side once it has them.
struct DeviceDescriptors {
  sandbox::Fd connection, report;
  sandbox::Fd transfers, replacements, device_code;  // none: not asked for
  sandbox::Fd mutant_order, mutants;                 // both or none
};

class DeviceProcess {
 public:
  using Clock = sandbox::Process::Clock;

  /// Starts it, as `order` says but for the limits and the descriptors, which follow from the other two. `host` must
  /// outlive it. Throws std::runtime_error.
  DeviceProcess(DeviceHost& host, vgpu::ServeOrder order, DeviceDescriptors descriptors, const sandbox::Limits& limits);
  /// Ends it if it runs, and waits until it is gone.
  ~DeviceProcess();
  DeviceProcess(const DeviceProcess&) = delete;
  DeviceProcess& operator=(const DeviceProcess&) = delete;

  /// Sleeps until it has ended, its limits included, or until a time. True: ended. Throws std::runtime_error when its
  /// server is gone.
  bool wait(Clock::time_point until);
  void kill();
  /// It writes its report and ends, whatever its client is at.
  void ask_to_end() { send_signal(SIGTERM); }
  /// No other process has this number until wait() has said that it has ended.
  pid_t id() const { return id_; }
  /// Once wait() has said that it has ended.
  const sandbox::Outcome& outcome() const { return outcome_; }

 private:
  bool readable_by(Clock::time_point until) const;
  std::optional<vgpu::ServeNews> receive();
  void begin();
  void finish(const vgpu::ServeNews& news);
  void send_signal(int signal) const;

  DeviceHost& host_;
  const sandbox::Limits limits_;
  const sandbox::ControlGroups groups_;
  sandbox::Fd link_, complaints_, handle_;
  const Clock::time_point started_, wall_end_;
  std::optional<Clock::time_point> killed_;
  pid_t id_ = -1;
  std::optional<sandbox::End> cut_;
  bool over_ = false;
  sandbox::Outcome outcome_;
};

}  // namespace cudalabs::runner
