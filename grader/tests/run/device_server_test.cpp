// How the virtual GPU of a case ends, and who is to blame.
#include "run/device_server.h"

#include <csignal>

#include "catch.h"

namespace cudalabs::runner {
namespace {

RunRequest request_for(const Program& program, const datasets::Case& test) {
  RunRequest request;
  request.program = &program;
  request.test = &test;
  return request;
}

/// A server whose client, a runner that is never started, says nothing.
class Served {
 public:
  DeviceServer& server() { return server_; }
  void kill(int signal) { REQUIRE(::kill(server_.id(), signal) == 0); }
  /// The runner goes away.
  void hang_up() { runner_.descriptors.clear(); }

 private:
  DeviceHost host_{1};
  Program program_;
  datasets::Case test_;
  sandbox::Job runner_;
  DeviceServer server_{host_, request_for(program_, test_), program_.limits, runner_};
};

TEST_CASE("the report comes when the client is gone", "[run]") {
  Served served;
  served.hang_up();
  sandbox::Meter meter(nullptr);
  const vgpu::ServerReport report = served.server().finish(meter, 0);
  CHECK(report.exhausted.empty());
  CHECK(report.launch_count == 0);
  CHECK_FALSE(served.server().over_budget());
}

TEST_CASE("who made the virtual GPU pass a limit is told so", "[run]") {
  Served served;
  served.kill(SIGXCPU);
  sandbox::Meter meter(nullptr);
  CHECK(served.server().finish(meter, 0).exhausted ==
        "the virtual GPU did not come to an end with what the program asked for");
}

TEST_CASE("a virtual GPU that crashes is the grader's own failure", "[run]") {
  Served served;
  served.kill(SIGABRT);
  sandbox::Meter meter(nullptr);
  CHECK_THROWS_WITH(served.server().finish(meter, 0), "the virtual GPU's server ended with signal or limit 6: ");
}

TEST_CASE("a virtual GPU is asked to end when the budget is used up", "[run]") {
  Served served;
  sandbox::Budget budget({.cpu_seconds = 1, .idle_seconds = 1});
  sandbox::Meter meter(&budget);
  const vgpu::ServerReport report = served.server().finish(meter, 2);
  CHECK(report.protocol_error.empty());
  CHECK(served.server().over_budget());
  CHECK(budget.used().cpu_seconds > 2);
}

}  // namespace
}  // namespace cudalabs::runner
