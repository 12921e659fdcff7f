// The session's modules: loading device code, and what the client is told of it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vgpu/cudart/server/device_library.h"
#include "vgpu/cudart/server/module_image.h"
#include "vgpu/cudart/server/session_types.h"
#include "vgpu/exec/program.h"
#include "vgpu/ptx/link_modules.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {
namespace {

std::uint32_t parameter_bytes(const KernelDescription& kernel) {
  std::uint64_t bytes = 0;
  for (const KernelParameter& parameter : kernel.parameters)
    bytes = std::max(bytes, std::uint64_t{parameter.offset} + parameter.size);
  if (bytes > wire::kMaxParameterBytes) {
    throw ImageError(cudaErrorInvalidPtx, fmt::format("the parameters of `{}` take {} bytes; at most {}",
                                                      display_name(kernel.name), bytes, wire::kMaxParameterBytes));
  }
  return static_cast<std::uint32_t>(bytes);
}

/// Builds the answer to load_module.
class Records {
 public:
  template <class T>
  void add(const T& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    data_.insert(data_.end(), bytes.begin(), bytes.end());
  }
  void add_name(const std::string& name) {
    const auto bytes = std::as_bytes(std::span(name.data(), name.size()));
    data_.insert(data_.end(), bytes.begin(), bytes.end());
    data_.resize((data_.size() + 7) / 8 * 8);
  }
  static std::uint32_t name_bytes(const std::string& name) {
    if (name.size() > wire::kMaxNameBytes)
      throw ImageError(cudaErrorInvalidPtx, fmt::format("a name of {} characters", name.size()));
    return static_cast<std::uint32_t>(name.size());
  }
  const std::vector<std::byte>& data() const { return data_; }

 private:
  std::vector<std::byte> data_;
};

}  // namespace

std::vector<std::byte> Session::receive_image(std::uint64_t bytes) {
  std::vector<std::byte> image;
  while (image.size() < bytes) {  // memory is taken as data comes, not as it is promised
    const std::size_t begin = image.size();
    image.resize(begin + std::min<std::uint64_t>(bytes - begin, buffer_.size()));
    receive(std::span(image).subspan(begin));
  }
  return image;
}

void Session::load_module(Request& request) {
  const auto bytes = request.as<wire::LoadModule>().image_bytes;
  if (bytes > wire::kMaxImageBytes) throw ProtocolViolation{fmt::format("device code of {} bytes", bytes)};
  std::vector<std::byte> image = receive_image(bytes);
  drain();
  if (told_error_ != cudaSuccess) return reply(request, told_error_);

  const auto refuse = [&](cudaError_t status, const std::string& whole_message) {
    const std::string message = whole_message.substr(0, limits_.message_bytes);
    if (module_errors_.size() < limits_.modules) module_errors_.push_back(message);
    const std::string text = fmt::format("cudalabs: device code cannot be loaded: {}\n", message);
    send_frame(wire::FrameKind::diagnostic, cudaSuccess, {}, std::as_bytes(std::span(text.data(), text.size())));
    reply(request, status);
  };
  if (!device_code_.empty()) image = std::exchange(device_code_, {});
  if (modules_.size() >= limits_.modules)
    return refuse(cudaErrorMemoryAllocation, fmt::format("more than {} modules", limits_.modules));

  if (image.size() > image_bytes_left_) {
    return refuse(cudaErrorMemoryAllocation, fmt::format("more than {} MiB of device code", limits_.image_bytes >> 20));
  }
  image_bytes_left_ -= image.size();

  auto module = std::make_unique<Module>();
  Records records;
  std::vector<VariableDescription> variables;
  bool loaded = false;
  const auto note_refusal = [&](ptx::Refusal refusal) {
    if (refusals_.size() < limits_.modules) refusals_.push_back(std::move(refusal));
  };
  std::vector<std::string> ptx;
  try {
    ptx = find_ptx(image, model_.compute_major, model_.compute_minor, image_bytes_left_);
    if (auto library = device_library(ptx)) ptx.push_back(std::move(*library));
    module->gpu_module = gpu_.load_module(ptx);
    loaded = true;
    optimised_ = optimised_ || std::ranges::any_of(ptx, is_optimised_by_nvcc);
    wide_accesses_ = wide_accesses_ || std::ranges::any_of(ptx, has_wide_accesses);
    std::uint32_t target = 0;
    for (const std::string& text : ptx) target = std::max(target, ptx_target(text));
    const auto kernels = gpu_.kernels(module->gpu_module);
    variables = gpu_.variables(module->gpu_module);
    records.add(wire::ModuleInfo{static_cast<std::uint32_t>(modules_.size()),
                                 static_cast<std::uint32_t>(kernels.size()),
                                 static_cast<std::uint32_t>(variables.size()), 0});
    for (const KernelDescription& description : kernels) {
      Kernel kernel;
      kernel.description = description;
      kernel.description.max_threads = std::min(description.max_threads, model_.max_threads_per_block);
      kernel.display = display_name(description.name);
      kernel.gpu_module = module->gpu_module;
      kernel.parameter_bytes = parameter_bytes(description);
      kernel.ptx_version = target;
      kernel.max_dynamic_shared_bytes =
          model_.shared_bytes_per_block - std::min(model_.shared_bytes_per_block, description.static_shared_bytes);
      records.add(wire::KernelRecord{static_cast<std::uint32_t>(description.parameters.size()), kernel.parameter_bytes,
                                     Records::name_bytes(description.name), 0});
      for (const KernelParameter& parameter : description.parameters)
        records.add(wire::Parameter{parameter.offset, parameter.size});
      records.add_name(description.name);
      module->kernels.push_back(std::move(kernel));
    }
    for (const VariableDescription& variable : variables) {
      records.add(wire::VariableRecord{variable.address, variable.size, Records::name_bytes(variable.name),
                                       variable.constant, variable.managed});
      records.add_name(variable.name);
    }
  } catch (const ImageError& error) {
    if (loaded) gpu_.unload_module(module->gpu_module);
    return refuse(error.status(), error.what());
  } catch (const ptx::LinkError& error) {
    return refuse(cudaErrorInvalidPtx, error.what());
  } catch (const ptx::ParseError& error) {
    note_refusal(ptx::refusal_of(ptx, error.line(), error.what(), ptx::Defect::malformed));
    return refuse(cudaErrorInvalidPtx, error.what());
  } catch (const UnsupportedPtx& error) {
    note_refusal(ptx::refusal_of(ptx, error.line(), error.what(), error.defect()));
    return refuse(cudaErrorUnsupportedPtxVersion, error.what());
  }
  const auto handle = static_cast<std::uint32_t>(modules_.size());
  for (const VariableDescription& variable : variables) {
    addresses_.add(variable.address, {variable.size, {}, handle, variable.managed});
    has_managed_ = has_managed_ || variable.managed;
  }
  if (modules_.empty()) first_device_code_ = std::move(ptx);
  modules_.push_back(std::move(module));
  reply_bytes(request, cudaSuccess, records.data());
}

}  // namespace cudalabs::vgpu
