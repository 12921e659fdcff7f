// Finds the PTX text in what a program registered as device code: PTX itself, or a fat binary container.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/cudart/include/driver_types.h"

namespace cudalabs::vgpu {

/// An image without usable PTX. `what()` says what is there instead and what to do, for a person.
class ImageError : public std::runtime_error {
 public:
  ImageError(cudaError_t status, const std::string& message) : std::runtime_error(message), status_(status) {}
  cudaError_t status() const { return status_; }

 private:
  cudaError_t status_;
};

/// The PTX for a device of compute capability `major.minor`, at least one text. Of several in a container it is the one
/// for the highest architecture that is not above the device's. Several containers, one behind the other, are those of
/// files that are to be linked; those that are empty, and the library that kernels start kernels with,
/// give no text. The bytes that
/// compressed PTX becomes are taken off `may_unpack`, whether it turns out to be good or not; where there are more, the
/// image is refused, and nothing is allocated. Takes hostile input. Throws ImageError.
std::vector<std::string> find_ptx(std::span<const std::byte> image, std::uint32_t major, std::uint32_t minor,
                                  std::uint64_t& may_unpack);

/// The number of the text's virtual architecture, 75 of `.target sm_75`; 0 when it names none. Libraries choose their
/// kernels by it.
std::uint32_t ptx_target(std::string_view ptx);

/// Whether nvcc wrote the text, and optimised: without -G it always does, so that accesses of the source may be
/// missing. Of LLVM's text nobody can say; the text that nvcc packs into programs names no compiler.
bool is_optimised_by_nvcc(std::string_view ptx);

/// Whether an instruction may access several elements of memory at once.
bool has_wide_accesses(std::string_view ptx);

}  // namespace cudalabs::vgpu
