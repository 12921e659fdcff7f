// Processes that serve clients side by side in one server: each has its own limits, its own end, and nothing of the
// others'.
#include "run/device_process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "vgpu/cudart/protocol.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs::runner {
namespace {

namespace fs = std::filesystem;
namespace wire = vgpu::wire;
using Clock = DeviceProcess::Clock;
using sandbox::End;

constexpr std::uint64_t kMiB = 1u << 20;
/// For what ends by itself; only a test that fails waits so long.
constexpr std::chrono::seconds kLong{60};

sandbox::Limits usual_limits() {
  sandbox::Limits limits;
  limits.wall_seconds = 100;
  limits.memory_bytes = 512 * kMiB;
  limits.processes = most_device_threads();
  return limits;
}

/// A process and its client, which is the test.
class Client {
 public:
  explicit Client(DeviceHost& host, const sandbox::Limits& limits = usual_limits())
      : report_(sandbox::make_memory_file("report", {})) {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    connection_ = sandbox::Fd(ends[0]);
    DeviceDescriptors descriptors;
    descriptors.connection = sandbox::Fd(ends[1]);
    descriptors.report = sandbox::Fd(fcntl(report_.get(), F_DUPFD_CLOEXEC, 0));
    process_ = std::make_unique<DeviceProcess>(host, vgpu::ServeOrder{}, std::move(descriptors), limits);
  }

  DeviceProcess& process() { return *process_; }
  void hang_up() { connection_.reset(); }
  bool ended() { return process_->wait(Clock::now() + kLong); }
  const sandbox::Outcome& outcome() { return process_->outcome(); }
  vgpu::ServerReport report() const {
    return vgpu::server_report_from_json(sandbox::read_all(report_.get(), vgpu::ServerReport::kMostBytes));
  }

  template <class T>
  void request(wire::Op op, const T& payload) {
    const wire::RequestHeader header{sizeof payload, op, 0, 0, 0};
    send(connection_.get(), &header, sizeof header, MSG_NOSIGNAL);
    send(connection_.get(), &payload, sizeof payload, MSG_NOSIGNAL);
  }
  template <class Result>
  bool answer(Result& result) {
    wire::FrameHeader frame;
    return receive(&frame, sizeof frame) && frame.bytes == sizeof result && receive(&result, sizeof result);
  }
  bool greet() {
    request(wire::Op::hello, wire::Hello{});
    wire::DeviceInfo info;
    return answer(info);
  }
  /// Allocates device memory and writes it.
  void use_memory(std::uint64_t bytes) {
    request(wire::Op::allocate, wire::Allocate{bytes});
    wire::Address address;
    if (!answer(address)) return;
    wire::Fill fill;
    fill.to.address = address.address;
    fill.to.pitch = fill.to.width = bytes;
    fill.to.height = 1;
    fill.value = 1;
    request(wire::Op::fill, fill);
    wire::FrameHeader done;
    receive(&done, sizeof done);
  }

 private:
  bool receive(void* to, std::size_t bytes) {
    return recv(connection_.get(), to, bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes);
  }

  sandbox::Fd connection_, report_;
  std::unique_ptr<DeviceProcess> process_;
};

/// What a line of /proc/PROCESS/status says; empty when it is not there.
std::string status_of(pid_t process, const std::string& name) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name + ":")) return line.substr(line.find_first_not_of(" \t", name.size() + 1));
  }
  return {};
}

pid_t server_of(Client& client) {
  return std::stoi(status_of(client.process().id(), "PPid"));
}

/// What the descriptors of a process are: "socket", "pipe", ...; empty where they are not to be seen.
std::vector<std::string> descriptors_of(pid_t process) {
  std::vector<std::string> kinds;
  std::error_code hidden;
  const fs::path folder = "/proc/" + std::to_string(process) + "/fd";
  for (auto each = fs::directory_iterator(folder, hidden); !hidden && each != fs::directory_iterator();
       each.increment(hidden)) {
    const std::string target = fs::read_symlink(each->path(), hidden);
    kinds.push_back(target.substr(0, target.find_first_of(":(")));
  }
  return kinds;
}

bool is_there(pid_t process) {
  return kill(process, 0) == 0 || errno != ESRCH;
}

TEST_CASE("one server serves several clients, at a time and one after the other", "[run]") {
  DeviceHost host(3);
  for (int round = 0; round < 2; ++round) {
    Client first(host), second(host), third(host);
    CHECK(server_of(first) == server_of(second));
    for (Client* client : {&third, &first, &second}) CHECK(client->greet());
    for (Client* client : {&second, &third, &first}) {
      client->hang_up();
      REQUIRE(client->ended());
      CHECK(client->outcome().end == End::exited);
      CHECK(client->outcome().status == 0);
      CHECK(client->outcome().cpu_seconds > 0);
      CHECK(client->report().protocol_error.empty());
    }
  }
}

TEST_CASE("a process that serves a client holds nothing but what it needs for it", "[run]") {
  DeviceHost host(2);
  Client first(host), second(host);
  REQUIRE(first.greet());
  REQUIRE(second.greet());
  for (Client* client : {&first, &second}) {
    const pid_t process = client->process().id(), server = server_of(*client);
    // The server forks while it has one thread; so does each of its clients' processes start.
    CHECK(status_of(server, "Threads") == "1");
    // Its own filter beside the sandbox's.
    CHECK(std::stoi(status_of(process, "Seccomp_filters")) == std::stoi(status_of(server, "Seccomp_filters")) + 1);
    std::vector<std::string> kinds = descriptors_of(process);
    if (kinds.empty()) continue;  // only root sees them
    std::ranges::sort(kinds);
    // The report; nothing to read; its complaints, as output and as errors; the client.
    CHECK(kinds == std::vector<std::string>{"/dev/null", "/memfd", "pipe", "pipe", "socket"});
  }
}

TEST_CASE("a process that crashes takes nobody with it", "[run]") {
  DeviceHost host(2);
  Client crashing(host), other(host);
  REQUIRE(crashing.greet());
  REQUIRE(kill(crashing.process().id(), SIGABRT) == 0);
  REQUIRE(crashing.ended());
  CHECK(crashing.outcome().end == End::signaled);
  CHECK(crashing.outcome().status == SIGABRT);
  CHECK(other.greet());
  Client next(host);
  CHECK(next.greet());
}

TEST_CASE("a process that takes too much memory is ended alone, and for that", "[run]") {
  DeviceHost host(2);
  sandbox::Limits limits = usual_limits();
  limits.memory_bytes = 96 * kMiB;
  Client other(host, limits), greedy(host, limits);
  if (!sandbox::control_group_places().memory) {
    WARN("there are no memory groups here");
    return;
  }
  REQUIRE(greedy.greet());
  greedy.use_memory(256 * kMiB);
  REQUIRE(greedy.ended());
  CHECK(greedy.outcome().end == End::memory_limit);
  CHECK(other.greet());
  other.use_memory(2 * kMiB);
  other.hang_up();
  REQUIRE(other.ended());
  CHECK(other.outcome().end == End::exited);
  CHECK(other.outcome().status == 0);
}

TEST_CASE("each process has limits of its own", "[run]") {
  DeviceHost host(2);
  sandbox::Limits limits = usual_limits();
  SECTION("of processor time and of files, as the kernel knows them") {
    limits.cpu_seconds = 6.5;
    limits.file_bytes = 12345;
    Client client(host, limits);
    rlimit cpu{}, file{};
    if (prlimit(client.process().id(), RLIMIT_CPU, nullptr, &cpu) != 0) return;  // for root only
    REQUIRE(prlimit(client.process().id(), RLIMIT_FSIZE, nullptr, &file) == 0);
    CHECK(cpu.rlim_cur == 7);
    CHECK(cpu.rlim_max == 8);
    CHECK(file.rlim_max == 12345);
  }
  SECTION("of time: who waits for a client that says nothing is ended") {
    limits.wall_seconds = 0.5;
    Client quiet(host, limits), other(host);
    REQUIRE(quiet.ended());
    CHECK(quiet.outcome().end == End::wall_limit);
    CHECK(other.greet());
  }
}

TEST_CASE("an end that is asked for brings a report, whenever it is asked for", "[run]") {
  DeviceHost host(2);
  Client other(host);
  for (int i = 0; i < 20; ++i) {
    Client client(host);
    // From the first moment on, while it sets up, and when it is at its report.
    if (i % 4 == 2) REQUIRE(client.greet());
    if (i % 4 == 3) client.hang_up();
    std::this_thread::sleep_for(std::chrono::microseconds(i / 4 * 300));
    client.process().ask_to_end();
    client.process().ask_to_end();
    REQUIRE(client.ended());
    CHECK(client.outcome().end == End::exited);
    CHECK(client.outcome().status == 0);
    CHECK_NOTHROW(client.report());
  }
  CHECK(other.greet());
}

TEST_CASE("the number of a process is its own until its end was noticed", "[run]") {
  DeviceHost host(1);
  Client client(host);
  const pid_t process = client.process().id();
  client.hang_up();
  while (status_of(process, "State").front() != 'Z') std::this_thread::yield();
  CHECK(is_there(process));
  REQUIRE(client.ended());
  while (is_there(process)) std::this_thread::yield();
}

TEST_CASE("a process goes with its object, and all of them with their server", "[run]") {
  pid_t process = 0, server = 0;
  {
    DeviceHost host(2);
    Client stays(host);
    {
      Client client(host);
      REQUIRE(client.greet());
      process = client.process().id();
    }
    while (is_there(process)) std::this_thread::yield();
    CHECK(stays.greet());
    server = server_of(stays);
    process = stays.process().id();
  }
  while (is_there(process) || is_there(server)) std::this_thread::yield();
}

TEST_CASE("a server that is gone is an error of its own, and leaves nobody behind", "[run]") {
  DeviceHost host(2);
  Client client(host);
  REQUIRE(client.greet());
  const pid_t process = client.process().id();
  REQUIRE(kill(server_of(client), SIGKILL) == 0);
  CHECK_THROWS_WITH(client.ended(), "the virtual GPU's server ended with signal or limit 9: ");
  while (is_there(process)) std::this_thread::yield();
  CHECK_THROWS_WITH(Client(host), "the virtual GPU's server ended with signal or limit 9: ");
}

TEST_CASE("what a process has to say of its failure is kept", "[run]") {
  DeviceHost host(1);
  DeviceDescriptors descriptors;
  descriptors.connection = sandbox::make_socket_pair().first;
  descriptors.report = sandbox::make_memory_file("report", {});
  vgpu::ServeOrder order;
  order.model[0] = '?';
  DeviceProcess process(host, order, std::move(descriptors), usual_limits());
  REQUIRE(process.wait(Clock::now() + kLong));
  CHECK(process.outcome().status != 0);
  CHECK(process.outcome().output.find("?") != std::string::npos);
}

}  // namespace
}  // namespace cudalabs::runner
