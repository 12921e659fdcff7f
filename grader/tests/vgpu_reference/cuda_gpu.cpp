// A real GPU by the CUDA driver API, with the types of its documentation.
#include "cuda_gpu.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cudalabs::reference {

class CudaGpu::Driver {
 public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW)) {}

  bool found() const { return library_ != nullptr; }

  template <class... Parameters>
  int status(const char* name, Parameters... parameters) const {
    void* const symbol = found() ? dlsym(library_, name) : nullptr;
    if (symbol == nullptr) throw std::runtime_error(fmt::format("the driver has no {}", name));
    return reinterpret_cast<int (*)(Parameters...)>(symbol)(parameters...);
  }
  template <class... Parameters>
  void call(const char* name, Parameters... parameters) const {
    if (const int error = status(name, parameters...)) {
      throw std::runtime_error(fmt::format("{}: error {}", name, error));
    }
  }

 private:
  void* library_;
};

const CudaGpu::Driver& CudaGpu::driver() {
  static const Driver driver;
  return driver;
}

bool CudaGpu::found() {
  const pid_t probe = fork();
  if (probe == 0) {
    int devices = 0;
    const bool usable = driver().found() && driver().status("cuInit", 0u) == 0 &&
                        driver().status("cuDeviceGetCount", &devices) == 0 && devices > 0;
    _exit(usable ? 0 : 1);
  }
  int status = 0;
  waitpid(probe, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

CudaGpu::CudaGpu() {
  driver().call("cuInit", 0u);
  driver().call("cuDeviceGet", &device_, 0);
  void* context = nullptr;
  driver().call("cuDevicePrimaryCtxRetain", &context, device_);
  driver().call("cuCtxSetCurrent", context);
}

std::string CudaGpu::name() const {
  char text[256] = {};
  driver().call("cuDeviceGetName", static_cast<char*>(text), static_cast<int>(sizeof text), device_);
  return text;
}

std::string CudaGpu::cuda_version() const {
  int version = 0;
  driver().call("cuDriverGetVersion", &version);
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

CudaGpu::Module CudaGpu::load(const std::string& ptx) {
  Module module;
  if (const int error = driver().status("cuModuleLoadData", &module.handle_, static_cast<const void*>(ptx.c_str()))) {
    constexpr int kInvalidPtx = 218, kUnsupportedPtx = 222, kInvalidImage = 200, kNoBinary = 209;
    const std::string what = fmt::format("cuModuleLoadData: error {}", error);
    for (const int refusal : {kInvalidPtx, kUnsupportedPtx, kInvalidImage, kNoBinary}) {
      if (error == refusal) throw RefusedByDriver(what);
    }
    throw std::runtime_error(what);
  }
  return module;
}

void CudaGpu::unload(const Module& module) {
  driver().call("cuModuleUnload", module.handle_);
}

std::vector<std::byte> CudaGpu::run(const Module& module, const std::string& kernel, const Launch& launch,
                                    std::span<const std::byte> input, std::uint64_t output_bytes) {
  void* function = nullptr;
  driver().call("cuModuleGetFunction", &function, module.handle_, kernel.c_str());
  std::uint64_t from = 0, to = 0;
  driver().call("cuMemAlloc_v2", &from, input.size());
  driver().call("cuMemAlloc_v2", &to, static_cast<std::size_t>(output_bytes));
  driver().call("cuMemcpyHtoD_v2", from, static_cast<const void*>(input.data()), input.size());
  driver().call("cuMemsetD8_v2", to, static_cast<unsigned char>(0), static_cast<std::size_t>(output_bytes));
  void* parameters[] = {&from, &to};
  const auto [gx, gy, gz] = launch.grid;
  const auto [bx, by, bz] = launch.block;
  driver().call("cuLaunchKernel", function, gx, gy, gz, bx, by, bz, launch.dynamic_shared_bytes,
                static_cast<void*>(nullptr), static_cast<void**>(parameters), static_cast<void**>(nullptr));
  driver().call("cuCtxSynchronize");
  std::vector<std::byte> result(output_bytes);
  driver().call("cuMemcpyDtoH_v2", static_cast<void*>(result.data()), to, result.size());
  driver().call("cuMemFree_v2", from);
  driver().call("cuMemFree_v2", to);
  return result;
}

}  // namespace cudalabs::reference
