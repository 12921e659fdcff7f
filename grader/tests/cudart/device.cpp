// A client and its server in one process.
#include "device.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <map>

#include "vgpu/cudart/client/client.h"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function, const char* device_name,
                            int thread_limit, uint3*, uint3*, dim3*, dim3*, int*);
void __cudaRegisterVar(void** handle, char* host_variable, char* device_address, const char* device_name, int ext,
                       std::size_t size, int constant, int global);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, void* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream);
}

namespace cudalabs::vgpu::test {
namespace {

struct Wrapper {
  std::uint32_t magic = 0x466243b1;
  std::uint32_t version = 1;
  const void* image = nullptr;
  void* unused = nullptr;
};

struct Registered {
  std::map<std::string, char> kernels, variables;  // a node's address stays and stands for the name
};

void add_module(Registered& registered, const std::string& lines, const std::vector<std::string>& kernels,
                const std::vector<std::string>& variables) {
  static std::vector<std::unique_ptr<std::string>> texts;
  static std::vector<std::unique_ptr<Wrapper>> wrappers;
  texts.push_back(std::make_unique<std::string>(fake::kHeader + lines));
  wrappers.push_back(std::make_unique<Wrapper>());
  wrappers.back()->image = texts.back()->c_str();
  void** handle = __cudaRegisterFatBinary(wrappers.back().get());
  const auto keep = [](const std::string& name) { return (new std::string(name))->data(); };
  for (const std::string& name : kernels)
    __cudaRegisterFunction(handle, &registered.kernels[name], nullptr, keep(name), -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
  for (const std::string& name : variables)
    __cudaRegisterVar(handle, &registered.variables[name], nullptr, keep(name), 0, 0, 0, 0);
}

Registered& registered() {
  static Registered* all = [] {
    auto* result = new Registered;
    add_module(
        *result,
        "//! kernel empty\n"
        "//! kernel wait\n"
        "//! kernel add params=8,8,8,4\n"
        "//! kernel mixed params=1,2,4,8,4,24,8\n"
        "//! kernel write params=8,4\n"
        "//! kernel step params=8,8\n"
        "//! kernel fails registers=16\n"
        "//! kernel prints\n"
        "//! kernel bounded threads=256 registers=32\n"
        "//! kernel greedy registers=128\n"
        "//! kernel tiled shared=40000 registers=24\n"
        "//! variable coefficients 64 constant\n"
        "//! variable counter 4\n",
        {"empty", "wait", "add", "mixed", "write", "step", "fails", "prints", "bounded", "greedy", "tiled", "absent"},
        {"coefficients", "counter", "absent"});
    add_module(*result, "//! parse-error unexpected `}`\n", {"unparsed"}, {"unparsed"});
    add_module(*result, "//! unsupported `wgmma` is not executed\n", {"unexecuted"}, {});
    return result;
  }();
  return *all;
}

}  // namespace

Device::Device(DeviceModel model, SessionLimits limits, SessionFaults faults, TransferDesk* transfers) {
  registered();
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_) != 0) std::abort();
  ::setenv(wire::kConnectionVariable, std::to_string(ends_[1]).c_str(), 1);
  VirtualGpuOptions options;
  options.model = model;
  gpu_ = std::make_unique<VirtualGpu>(options);
  channel_ = std::make_unique<SocketChannel>(ends_[0]);
  session_ = std::make_unique<Session>(*channel_, *gpu_, model, limits, faults, transfers);
  server_ = std::thread([this] { session_->serve(); });
}

Device::~Device() {
  if (server_.joinable()) finish();
  for (const auto& [memory, bytes] : page_locked_) munmap(memory, bytes);
}

ServerReport Device::finish() {
  {
    client::Lock lock;
    if (!client::client().connected()) ::close(ends_[1]);  // never used: nobody else closes it
    for (const client::Range& range : client::client().page_locked) {
      if (!range.registered) page_locked_.emplace_back(reinterpret_cast<void*>(range.address), range.bytes);
    }
    client::client().disconnect();
  }
  server_.join();
  ::close(ends_[0]);
  ::unsetenv(wire::kConnectionVariable);
  cudaGetLastError();
  return session_->report();
}

const void* kernel(const std::string& name) {
  static const char nobody = 0;
  const auto found = registered().kernels.find(name);
  return found == registered().kernels.end() ? &nobody : &found->second;
}

const void* symbol(const std::string& name) {
  static const char nobody = 0;
  const auto found = registered().variables.find(name);
  return found == registered().variables.end() ? &nobody : &found->second;
}

void launch_as_compiled(const void* function, dim3 grid, dim3 block, std::vector<void*> arguments,
                        std::size_t shared_bytes, cudaStream_t stream) {
  if (__cudaPushCallConfiguration(grid, block, shared_bytes, stream) != 0) return;
  if (__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream) != cudaSuccess) return;
  cudaLaunchKernel(function, grid, block, arguments.data(), shared_bytes, stream);
}

std::vector<std::string> call_names(const ServerReport& report) {
  std::vector<std::string> names;
  for (const ApiCall& call : report.calls) names.push_back(call.name);
  return names;
}

}  // namespace cudalabs::vgpu::test
