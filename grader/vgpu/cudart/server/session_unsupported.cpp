// What a real GPU may have and this one has not: the finding, and what to use instead.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/server/session_types.h"

namespace cudalabs::vgpu {
namespace {

struct Replacement {
  std::string_view part;  // of a function's name
  const char* help;
};

constexpr char kPlainGraphs[] =
    "use graphs of kernels, copies, fills, host functions, events, memory and conditional nodes, without external "
    "semaphores; or launch the kernels one after another, by `<<<grid, block, shared, stream>>>`";
constexpr char kOwnMemories[] =
    "use `cudaMalloc` and `cudaMemcpy`, or `cudaMallocManaged`: nothing else is seen by kernels and by the host here";
constexpr char kPlainImages[] =
    "use arrays and textures of one, two or three dimensions without mipmaps and sRGB, or memory of "
    "`cudaMallocPitch`, which a kernel reads by index";
constexpr char kWithoutPool[] = "use `cudaMallocAsync` and `cudaFreeAsync`, or `cudaMalloc` and `cudaFree`";
constexpr char kOneProcess[] =
    "use memory of `cudaMalloc` within this program; other programs and devices see none of it";
constexpr char kSharing[] =
    "share memory and events among threads, within this program: the virtual GPU serves one process, and no other one "
    "could open what this call would give";
constexpr char kPtxToLoad[] =
    "load PTX, of `nvcc -ptx` or of NVRTC, or a fat binary that has some, as of `nvcc -fatbin -arch=compute_80`";
constexpr char kOwnKernels[] = "launch the kernels of this file, by `<<<grid, block, shared, stream>>>`";

/// The first whose part is in the name counts.
constexpr Replacement kReplacements[] = {
    {"Ipc", kSharing},
    {"Shareable", kSharing},
    {"ExportPointer", kSharing},
    {"ImportPointer", kSharing},
    {"EGL", kOneProcess},
    {"cudaGL", kOneProcess},
    {"VDPAU", kOneProcess},
    {"Graphics", kOneProcess},
    {"MemGetMemPool", kWithoutPool},
    {"Graph", kPlainGraphs},
    {"External", kOneProcess},
    {"Pool", kWithoutPool},
    {"Array", kPlainImages},
    {"Mipmap", kPlainImages},
    {"Texture", kPlainImages},
    {"Surface", kPlainImages},
    {"ChannelDesc", kPlainImages},
    {"MemMap", "map it at one place at a time: call `cuMemUnmap` before it is mapped somewhere else"},
    {"MemCreate", "create memory of the device, `CU_MEM_LOCATION_TYPE_DEVICE` and `CU_MEM_ALLOCATION_TYPE_PINNED`"},
    {"Managed", kOwnMemories},
    {"MemRange", kOwnMemories},
    {"Discard", kOwnMemories},
    {"ModuleLoad", kPtxToLoad},
    {"LibraryLoad", kPtxToLoad},
    {"Link", kPtxToLoad},
    {"Library", kOwnKernels},
    {"KernelSet", kOwnKernels},
    {"LaunchKernelExC", "leave the cluster dimension out; blocks can exchange data through global memory"},
    {"Cluster", "use blocks without clusters; they can exchange data through global memory"},
    {"BatchMemOp", "use `cuStreamWriteValue32` and `cuStreamWaitValue32` with a condition alone"},
    {"Batch", "use one `cudaMemcpyAsync` for each copy"},
};

std::string help_for(std::string_view name) {
  const auto* const found = std::ranges::find_if(
      kReplacements, [&](const Replacement& each) { return name.find(each.part) != std::string_view::npos; });
  return found == std::end(kReplacements)
             ? "use streams, events, `cudaMalloc` and `cudaMemcpy`, and launches by `<<<>>>`"
             : found->help;
}

}  // namespace

std::string_view part_name(wire::UnsupportedPart part) {
  switch (part) {
    case wire::UnsupportedPart::semaphore_node:
      return "a node with external semaphores";
    case wire::UnsupportedPart::device_launch:
      return "a graph that kernels launch";
    case wire::UnsupportedPart::machine_code:
      return "machine code of a GPU (a cubin)";
    case wire::UnsupportedPart::function_table:
      return "a table of functions of the host";
    case wire::UnsupportedPart::other_pool:
      return "a pool of memory that is not the device's";
    case wire::UnsupportedPart::memory_operations_node:
      return "a node of memory operations";
    case wire::UnsupportedPart::second_mapping:
      return "a second mapping of memory that is mapped";
    case wire::UnsupportedPart::other_memory:
      return "memory that is not the device's own";
    case wire::UnsupportedPart::interleaved_tensor:
      return "an interleaved tensor";
    case wire::UnsupportedPart::remote_flush:
      return "a flush of what other devices have written";
    case wire::UnsupportedPart::all:
      break;
  }
  return {};
}

/// One finding for each call site.
void Session::note_unsupported(const Request& request) {
  const auto known = std::ranges::find(unsupported_, request.origin(), &HostFinding::origin);
  if (known != unsupported_.end()) {
    ++known->finding.count;
    return;
  }
  if (unsupported_.size() >= limits_.inputs || request.header.call == 0) return;
  const std::string_view name = request.call_name();
  Finding finding;
  finding.id = finding_ids::kUnsupportedCall;
  finding.message = request.unsupported_part.empty()
                        ? fmt::format("`{}` is not supported here", name)
                        : fmt::format("{} by `{}` is not supported here", request.unsupported_part, name);
  finding.note = fmt::format("it returned `{}` and did nothing; on a real GPU it may work",
                             request.header.driver_call == 0 ? "cudaErrorNotSupported" : "CUDA_ERROR_NOT_SUPPORTED");
  finding.help = help_for(name);
  unsupported_.push_back({std::move(finding), request.origin()});
}

}  // namespace cudalabs::vgpu
