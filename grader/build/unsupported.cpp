// Reads the errors' texts; the wordings are those of clang 14 to 19 and nvcc 13.
#include "build/unsupported.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

#include "build/message_text.h"
#include "build/name_errors.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::builder {
namespace {

bool is_upper(char letter) {
  return std::isupper(static_cast<unsigned char>(letter)) != 0;
}

constexpr std::array kLibraries{std::string_view("cublas"),   std::string_view("cufft"),    std::string_view("curand"),
                                std::string_view("cusparse"), std::string_view("cusolver"), std::string_view("cudnn"),
                                std::string_view("nvrtc"),    std::string_view("nvml"),     std::string_view("npp"),
                                std::string_view("cutlass"),  std::string_view("thrust"),   std::string_view("nvtx"),
                                std::string_view("cub"),      std::string_view("nvjpeg")};

bool is_of_library(std::string_view name) {
  return std::any_of(kLibraries.begin(), kLibraries.end(), [&](std::string_view library) {
    if (!name.starts_with(library)) return false;
    // "cub" or "cub/cub.cuh" but not "cubes".
    return name.size() == library.size() || std::isalpha(static_cast<unsigned char>(name[library.size()])) == 0 ||
           is_upper(name[library.size()]);
  });
}

/// Texture references, which CUDA 12 has removed: `texture<float, 1> in;` and the functions that bind them.
bool is_of_texture_references(std::string_view text) {
  constexpr std::string_view kWords[] = {
      "no template named 'texture'", "texture is not a template",   "cudaBindTexture",
      "cudaUnbindTexture",           "overloaded function \"tex1D", "overloaded function \"tex2D",
      "overloaded function \"tex3D"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view words) { return text.find(words) != std::string_view::npos; });
}

/// host_defines.h names it so for clang.
constexpr std::string_view kManagedVariable = "managed_variables_are_not_supported_with_clang";

/// nvcc includes headers that have every name of the runtime but those for graphics: another one is misspelled.
bool is_misspelled(std::string_view text, std::string_view name) {
  return text.find("\" is undefined") != std::string_view::npos && name.starts_with("cuda") &&
         !name.starts_with("cudaG") && !name.starts_with("cudaEGL") && !name.starts_with("cudaVDPAU");
}

bool is_header_of_cuda(std::string_view header) {
  return is_of_library(header) || header.starts_with("cuda") || header.starts_with("nv/") || header == "mma.h" ||
         header.starts_with("cooperative_groups") || header.starts_with("nvToolsExt") ||
         header.starts_with("device_") || header.starts_with("texture_") || header.starts_with("surface_") ||
         header.starts_with("crt/");
}

std::string help_for(std::string_view name) {
  if (is_of_library(name)) return "write the kernel yourself; the libraries that come with CUDA are not offered";
  if (name.find("Graph") != std::string_view::npos || name.find("Capture") != std::string_view::npos)
    return "launch the kernels one after another, by `<<<grid, block, shared, stream>>>`; a stream keeps their order";
  if (name.find("rray") != std::string_view::npos || name.starts_with("tex") || name.starts_with("surf") ||
      name.find("exture") != std::string_view::npos || name.find("urface") != std::string_view::npos)
    return "keep the data in memory of `cudaMalloc` or `cudaMallocPitch`, which a kernel reads by index";
  if (name.starts_with("cu") && name.size() > 2 && (is_upper(name[2]) || name == "cuda.h"))
    return "use the runtime API: `cudaMalloc`, `cudaMemcpy`, `<<<grid, block>>>`; the driver API is not offered";
  if (name.starts_with("CU"))
    return "use the runtime API, whose names begin with `cuda`; the driver API is not offered";
  return "check the spelling; where it is right, use streams, events, `cudaMalloc` and `cudaMemcpy`, and launches by "
         "`<<<>>>`";
}

void become(Finding& finding, const std::string& message, std::string help) {
  finding.note = "the compiler says: " + finding.message;
  finding.id = finding_ids::kUnsupportedCall;
  finding.message = message;
  finding.help = std::move(help);
}

}  // namespace

bool is_name_of_cuda(std::string_view name) {
  if (is_of_library(name)) return true;
  if (name.starts_with("cuda") && name.size() > 4) return is_upper(name[4]);
  if (name.starts_with("cu") && name.size() > 2) return is_upper(name[2]);
  if (name.starts_with("CU") && name.size() > 2)
    return name.starts_with("CUDA_") || name.starts_with("CU_") ||
           std::islower(static_cast<unsigned char>(name[2])) != 0;
  constexpr std::string_view kDevice[] = {"tex1D",  "tex2D",  "tex3D", "texCubemap", "surf1D",
                                          "surf2D", "surf3D", "wmma",  "nvcuda"};
  return std::any_of(std::begin(kDevice), std::end(kDevice),
                     [&](std::string_view each) { return name.starts_with(each); });
}

void explain_unsupported(Finding& finding) {
  const std::string text = finding.message;
  if (text.find("reference to __global__ function") != std::string::npos ||
      text.find("kernel launch from __device__ or __global__ functions") != std::string::npos) {
    become(finding, "a launch from device code is not supported here",
           "launch every kernel from the host; a kernel that depends on another is launched after it");
    return;
  }
  if (is_of_texture_references(text)) {
    become(finding, "texture references are not supported here, and CUDA 12 has removed them", help_for("texture"));
    return;
  }
  if (text.find(kManagedVariable) != std::string::npos) {
    become(finding, "`__managed__` variables are not supported with clang",
           "use memory of `cudaMallocManaged`, and hand its address to the kernel; nvcc offers `__managed__`");
    finding.note = {};
    return;
  }
  if (const auto header = missing_header(text); header && is_header_of_cuda(*header)) {
    const std::string name(*header);
    become(finding, "the header " + in_backticks(name) + " is not supported here", help_for(name));
    return;
  }
  if (const auto found = unknown_name(text); found && is_name_of_cuda(*found) && !is_misspelled(text, *found)) {
    const std::string name(*found);
    become(finding, in_backticks(name) + " is not supported here", help_for(name));
  }
}

Finding unsupported_function(std::string_view name, const SourcePlace& where) {
  Finding finding;
  finding.where = where;
  become(finding, in_backticks(name) + " is not supported here",
         "this function is not part of the runtime the grader offers: " + help_for(name));
  finding.note = {};
  return finding;
}

}  // namespace cudalabs::builder
