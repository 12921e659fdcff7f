// Message, note and help of accesses that memory refuses, and of values that nobody wrote.
#include "vgpu/check/verdict_words.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "vgpu/check/finding_ids.h"

namespace cudalabs::vgpu {

using namespace finding_ids;

std::string VerdictWords::access_text() const {
  return fmt::format("{} of {}", verb(s_.at.access), counted(s_.bytes, "byte"));
}

void VerdictWords::out_of_bounds(Finding& f) {
  f.address = s_.address;
  switch (s_.verdict) {
    case Verdict::shared_out_of_bounds:
      f.id = kSharedOutOfBounds;
      f.message = access_text() + " outside the block's shared memory";
      f.help =
          "check the index against the size of the `__shared__` array; for an `extern __shared__` array, pass its "
          "size in bytes as the third launch argument";
      break;
    case Verdict::local_out_of_bounds:
      f.id = kLocalOutOfBounds;
      f.message = access_text() + " outside the thread's local memory";
      f.help = "check the index against the size of the array declared in the kernel";
      break;
    case Verdict::constant_out_of_bounds:
      f.id = kConstantOutOfBounds;
      f.message = access_text() + " outside every `__constant__` variable";
      f.help = "check the index against the size of the `__constant__` array";
      break;
    default:
      f.id = kGlobalOutOfBounds;
      f.message = access_text() + " outside every allocation";
      f.help =
          "let only threads whose index is inside the array touch it, `if (i < n)` in every dimension, and check "
          "that `n` and the row length are the ones the array was allocated with";
  }
  f.note = distance_text();
}

std::string VerdictWords::distance_text() const {
  const auto range = names_.nearest(s_.space, s_.address);
  if (!range) return "no allocation is near this address";
  if (s_.space == MemorySpace::shared && s_.address > std::numeric_limits<std::int32_t>::max()) {
    // Addresses of shared memory have 32 bits: this one came from an index below 0.
    const std::uint64_t before = range->address + (std::uint64_t{1} << 32) - s_.address;
    return fmt::format("{} before the start of {}", counted(before, "byte"), name_of(s_.space, *range));
  }
  const std::uint64_t end = range->address + range->bytes;
  const std::string size = fmt::format("{}, allocated as {}", name_of(s_.space, *range), counted(range->bytes, "byte"));
  if (s_.address < range->address) {
    return fmt::format("{} before the start of {}", counted(range->address - s_.address, "byte"), size);
  }
  if (s_.address < end) {
    return fmt::format("the access reaches {} past the end of {}", counted(s_.address + s_.bytes - end, "byte"), size);
  }
  std::string text = s_.address == end ? "just past the end of " + size
                                       : fmt::format("{} past the end of {}", counted(s_.address - end, "byte"), size);
  if (const std::string subscripts = past_end_text(*range, s_.address, s_.bytes); !subscripts.empty()) {
    text += ": " + subscripts;
  } else if (s_.bytes != 0 && range->bytes >= s_.bytes && (s_.address - range->address) % s_.bytes == 0) {
    text += fmt::format(": index {} where {} is the last", (s_.address - range->address) / s_.bytes,
                        range->bytes / s_.bytes - 1);
  }
  return text;
}

void VerdictWords::write_to_constant(Finding& f) {
  f.id = kWriteToConstant;
  f.address = s_.address;
  f.message = "write to constant memory by a kernel";
  f.help =
      "kernels only read `__constant__` variables: set them from the host with `cudaMemcpyToSymbol`, or use a "
      "`__device__` variable";
}

void VerdictWords::input_overwritten(Finding& f) {
  f.id = kInputOverwritten;
  f.address = s_.address;
  const auto input = names_.input(s_.address, s_.bytes);
  const std::string element = input ? fmt::format("`{}`", input->element(s_.address)) : "an input";
  f.message = fmt::format("{} of {}, which the function may only read", verb(s_.at.access), element);
  f.note = "writing the value that is already there is a write, too";
  f.help =
      "the caller still needs its inputs as they were: write results to the output, and what lies in between to an "
      "array of your own (`cudaMalloc`)";
}

void VerdictWords::misaligned(Finding& f) {
  f.id = kMisalignedAccess;
  f.address = s_.address;
  f.message = fmt::format("{} at an address that is not a multiple of {}", access_text(), s_.bytes);
  f.note = fmt::format("the address is {} past a multiple of {}", counted(s_.address % s_.bytes, "byte"), s_.bytes);
  if (const auto range = names_.nearest(s_.space, s_.address))
    f.note += ", at " + range_text(s_.space, *range, s_.address, s_.bytes);
  f.help =
      "a cast to a wider type such as `float4*` needs an index that is a multiple of the wider type's size, also in "
      "every row";
}

void VerdictWords::host_pointer(Finding& f) {
  f.id = kHostPointerDereference;
  f.address = s_.address;
  f.message = access_text() + " through a pointer to host memory";
  f.help =
      "kernels cannot reach the host's memory: allocate the array with `cudaMalloc`, copy it with `cudaMemcpy`, and "
      "pass the device pointer";
}

void VerdictWords::null_pointer(Finding& f) {
  f.id = kNullPointerDereference;
  f.address = s_.address;
  f.message = access_text() + " through a null pointer";
  f.note = s_.address == 0 ? "the address is 0" : fmt::format("the address is {}: null plus an offset", s_.address);
  f.help =
      "check that `cudaMalloc` was called for this pointer, that it returned `cudaSuccess`, and that the pointer it "
      "filled in is the one passed to the kernel";
}

void VerdictWords::use_after_free(Finding& f) {
  f.id = kUseAfterFree;
  f.address = s_.address;
  f.message = access_text() + " in memory that was freed";
  if (const auto range = names_.nearest(s_.space, s_.address))
    f.note = range_text(s_.space, *range, s_.address, s_.bytes);
  f.help = "call `cudaFree` only after the last kernel and the last copy that use the array";
}

void VerdictWords::uninitialized(Finding& f) {
  f.id = kUninitializedRead;
  if (s_.verdict == Verdict::uninitialized_register) {
    f.severity = Severity::warning;  // whether anything depends on it, the results say
    f.message = "a variable is used here that was never given a value";
    f.note = "the virtual GPU lets it begin with NaN, or a huge integer; on a GPU it holds anything";
    f.help = "give every local variable a value where you declare it, a sum `0.0f`";
    return;
  }
  f.address = s_.address;
  if (s_.verdict == Verdict::uninitialized_shared) {
    f.message = "read of shared memory that no thread of the block has written";
    f.help =
        "write every element before it is read, also those for which there is no input, and put a `__syncthreads()` "
        "between writing and reading";
  } else {
    f.message = "read of global memory that nobody has written";
    f.help = "fill the array first: `cudaMemcpy` from the host, `cudaMemset`, or a kernel that writes all of it";
  }
  f.note = counted(s_.bytes, "byte");
  if (const auto range = names_.nearest(s_.space, s_.address))
    f.note += " at " + range_text(s_.space, *range, s_.address, s_.bytes);
}

}  // namespace cudalabs::vgpu
