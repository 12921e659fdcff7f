// Message, note and help of accesses that memory refuses, those out of bounds apart, and of values that nobody wrote.
#include "text/counted.h"
#include "vgpu/check/address_parts.h"
#include "vgpu/check/verdict_words.h"

#include <fmt/format.h>

#include <cstdint>

#include "vgpu/check/finding_ids.h"

namespace cudalabs::vgpu {

using namespace finding_ids;

namespace {

/// Whether as many bytes as the array has elements end at this one, give or take an element: what a size without
/// `sizeof` fills.
bool is_where_elements_end_as_bytes(const NamedRange& range, std::uint64_t address, std::uint32_t element_bytes) {
  constexpr std::uint64_t kFewest = 16;  // with fewer it would often be chance
  if (element_bytes < 2 || address <= range.address) return false;
  const std::uint64_t elements = range.bytes / element_bytes, filled = elements / element_bytes;
  const std::uint64_t element = (address - range.address) / element_bytes;
  return elements >= kFewest && element >= filled && element - filled <= 1;
}

}  // namespace

std::string VerdictWords::access_text() const {
  return fmt::format("{} of {}", verb(s_.at.access), counted(s_.bytes, "byte"));
}

AccessFacts VerdictWords::facts() const {
  AccessFacts facts;
  facts.only_reads = s_.at.access == AccessKind::load;
  facts.what = access_text();
  facts.bytes = s_.bytes;
  const auto range = s_.space == MemorySpace::global ? names_.nearest(s_.space, s_.address) : std::nullopt;
  if (!range) return facts;
  facts.array = range->name;
  if (s_.address >= range->address && s_.address + s_.bytes > range->address + range->bytes)
    facts.past_end_of = range->bytes;
  return facts;
}

/// Of an access inside of an array.
void VerdictWords::name_element(AccessFacts& facts) const {
  const auto range = names_.nearest(s_.space, s_.address);
  if (!range) return;
  facts.element = element_text(*range, s_.address, s_.bytes);
  if (s_.space == MemorySpace::shared)
    facts.shared_array = range->name;
  else if (range->name.empty())
    facts.allocated = range->bytes;
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

/// Which row of an array of two dimensions the access is in, where no access of its size may begin there.
void add_misaligned_row(AccessFacts& facts, const NamedRange& range, std::uint64_t address) {
  if (!range.flat || range.type->extents.size() != 2 || range.address % facts.bytes != 0) return;
  const std::uint64_t elements = range.type->extents[1], bytes = range.type->element->bytes;
  if (elements == 0 || bytes == 0 || address < range.address) return;
  const std::uint64_t row = (address - range.address) / (elements * bytes);
  if (row * elements * bytes % facts.bytes == 0) return;
  facts.row = row;
  facts.row_elements = elements;
  facts.element_bytes = bytes;
}

void VerdictWords::misaligned(Finding& f) {
  f.id = kMisalignedAccess;
  f.address = s_.address;
  f.access = facts();
  f.message = fmt::format("{} at an address that is not a multiple of {}", access_text(), s_.bytes);
  f.note = fmt::format("the address is {} past a multiple of {}", counted(s_.address % s_.bytes, "byte"), s_.bytes);
  if (const auto range = names_.nearest(s_.space, s_.address)) {
    f.note += ", at " + range_text(s_.space, *range, s_.address, s_.bytes);
    add_misaligned_row(f.access, *range, s_.address);
  }
  f.help =
      "what is read or written through a wider type, such as `float4*`, has to lie at a multiple of its size: look at "
      "where the array begins, and at the index, also in every row";
  if (s_.space == MemorySpace::global) name_misaligned_part(f);
  if (s_.tensor && s_.space != MemorySpace::global) box_misaligned(f);
  map_elsewhere(f);
}

/// The first and the last of them.
std::vector<AccessOfThread> VerdictWords::refused_accesses() const {
  std::vector<AccessOfThread> accesses{{s_.at.thread, s_.address}};
  if (s_.last) accesses.push_back(*s_.last);
  return accesses;
}

/// Which argument of the launch the address has from what is wrong with it.
void VerdictWords::name_misaligned_part(Finding& f) const {
  const auto range = names_.nearest(s_.space, s_.address);
  if (!range) return;
  const auto [pointer, stride] = misalignment(*range, config_, refused_accesses(), s_.bytes, names_.values_given());
  if (pointer) {
    f.launch.argument = pointer->number;
    f.note += fmt::format("\n{}argument {} of the launch points there, {} behind the begin of {}: no multiple of {}",
                          pointer->part ? "a pointer in " : "", pointer->number,
                          counted(pointer->value - range->address, "byte"), name_of(s_.space, *range), s_.bytes);
    f.help = Advice::align_arrays;
  } else if (stride) {
    f.launch.argument = stride->argument;
    const std::string what =
        stride->argument == 0 ? "a number" : fmt::format("argument {} of the launch", stride->argument);
    const std::uint32_t wanted = s_.bytes / stride->element_bytes;
    f.note += fmt::format("\n{0} {1} begins {1} · {2} elements of {3} further on: {4}, {2}, is no multiple of {5}",
                          name_of(stride->axis), stride->times, stride->elements,
                          counted(stride->element_bytes, "byte"), what, wanted);
    f.help = fmt::format(
        "take the elements before the first whole {} bytes one by one, or, where the array is the program's own, "
        "round {} up to a multiple of {}",
        s_.bytes, stride->argument == 0 ? "the number of elements from one to the next" : what, wanted);
  }
}

void VerdictWords::host_pointer(Finding& f) {
  f.id = kHostPointerDereference;
  f.address = s_.address;
  f.access.what = access_text();
  f.message = f.access.what + " through a pointer to host memory";
  f.help =
      "of the host's memory kernels reach what is page-locked, and nothing else: allocate the array with `cudaMalloc`, "
      "copy it with `cudaMemcpy`, and pass the device pointer";
  map_elsewhere(f);
}

void VerdictWords::null_pointer(Finding& f) {
  f.id = kNullPointerDereference;
  f.address = s_.address;
  f.access.only_reads = s_.at.access == AccessKind::load;
  f.message = access_text() + " through a null pointer";
  f.note = s_.address == 0 ? "the address is 0" : fmt::format("the address is {}: null plus an offset", s_.address);
  f.help =
      "check that `cudaMalloc` was called for this pointer, that it returned `cudaSuccess`, and that the pointer it "
      "filled in is the one passed to the kernel";
  map_elsewhere(f);
}

void VerdictWords::use_after_free(Finding& f) {
  f.id = kUseAfterFree;
  f.address = s_.address;
  f.message = access_text() + " in memory that was freed";
  const auto range = names_.nearest(s_.space, s_.address);
  if (range) f.note = range_text(s_.space, *range, s_.address, s_.bytes);
  f.help = "call `cudaFree` only after the last kernel and the last copy that use the array";
  if (range && range->of_host) {
    f.help =
        "call `cudaFreeHost`, or `cudaHostUnregister` for memory that was registered, only after the last kernel and "
        "the last copy that use the array";
  }
}

/// What to do about a copy that is still going on. A barrier is of use to other threads alone.
std::string VerdictWords::copy_help() const {
  const SourcePlace waited = s_.pending ? names_.place(s_.pending->instruction) : SourcePlace{};
  const bool has_barrier = waited.known() && names_.has_block_barrier_between(waited, where_);
  const std::string_view barrier =
      s_.reads_of_others && !has_barrier
          ? "; a thread waits for its own copies only: call `__syncthreads()` after the wait"
          : "";
  const std::string wait = s_.pending ? line(s_.pending->instruction) : std::string();
  if (wait.empty()) {
    return fmt::format("wait for the copy first (`__pipeline_wait_prior(0)`, `cg::wait`, `consumer_wait()`){}",
                       barrier);
  }
  const auto& [instruction, left, newer] = *s_.pending;
  const std::string after = newer == 0 ? "none was" : newer == 1 ? "only 1 was" : fmt::format("only {} were", newer);
  const std::string most = newer == 0 ? "none (0) where nothing newer is committed, as in the last round of a loop"
                                      : fmt::format("at most {} where no more are committed", newer);
  return fmt::format("the wait in {} leaves the last {} pending, and {} committed after this copy's: let it leave {}{}",
                     wait, left == 1 ? "group" : fmt::format("{} groups", left), after, most, barrier);
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
  f.access = facts();
  name_element(f.access);
  if (s_.verdict == Verdict::uninitialized_shared && s_.other) {
    f.message = "read of shared memory to which a copy has begun that is not waited for";
    f.other = OtherPlace{"the asynchronous copy begins here", other_, std::nullopt, std::nullopt};
    f.help = s_.other->copies ? copy_wait_help(*s_.other) : copy_help();
    if (s_.pending)
      f.cause = OtherPlace{fmt::format("this wait leaves {} pending", counted(s_.pending->left, "group")),
                           names_.place(s_.pending->instruction), std::nullopt, std::nullopt};
  } else if (s_.verdict == Verdict::uninitialized_shared) {
    f.message = s_.owner ? fmt::format("read of shared memory of {} that no thread has written", block_text(*s_.owner))
                         : std::string("read of shared memory that no thread of the block has written");
    f.help = Advice::write_before_read;
    if (s_.owner) {
      f.help =
          "let the other block write every element before it is read, and put a `cluster.sync()` between writing and "
          "reading; check the rank that `map_shared_rank` is given, and the index";
    }
  } else {
    f.message = "read of global memory that nobody has written";
    f.help = "fill the array first: `cudaMemcpy` from the host, `cudaMemset`, or a kernel that writes all of it";
  }
  f.note = counted(s_.bytes, "byte");
  const auto range = names_.nearest(s_.space, s_.address);
  if (range) f.note += " at " + range_text(s_.space, *range, s_.address, s_.bytes);
  if (s_.harmless) {
    f.severity = Severity::warning;
    f.note += "; with other values there the launch writes and prints the same";
    f.help = "nothing depends on what is read here: let only threads read that need it, or write every element before";
    return;
  }
  if (!range) return;
  if (s_.verdict == Verdict::uninitialized_global && s_.end > range->address)
    f.access.read_to = s_.end - range->address;
  if (s_.pitches && s_.pitches->written % s_.bytes == 0 && s_.pitches->read % s_.bytes == 0) {
    const std::uint32_t written = s_.pitches->written / s_.bytes, read = s_.pitches->read / s_.bytes;
    f.message = fmt::format("{} is written with rows of {} elements, and read here with rows of {}",
                            name_of(s_.space, *range), written, read);
    f.note += ", which nobody has written: it is after the end of a row";
    f.help = fmt::format("use the same row length where it is written and where it is read: {}", written);
  }
  // Which of a statement's arrays it is, the column need not tell.
  if (s_.space == MemorySpace::global && range->asked_for)
    f.other = OtherPlace{"this array is allocated here", {}, {}, {}, PlaceRole::allocation};
  if (range->discarded) {
    f.message = "read of unified memory that was discarded, and not written since";
    f.help =
        "write what is to be read again after `cudaMemDiscardBatchAsync`: what was there before is lost, also where it "
        "is fetched in advance; or do not discard this range";
  }
  if (range->of_host)
    f.help = "fill the page-locked array first: on the host before the launch, or by a kernel that writes all of it";
  if (s_.space == MemorySpace::global && is_where_elements_end_as_bytes(*range, s_.address, s_.bytes)) {
    f.help += fmt::format(
        "; sizes of copies and fills are in bytes: {} bytes end here, where the array has as many elements: is "
        "`sizeof` missing?",
        range->bytes / s_.bytes);
  }
}

}  // namespace cudalabs::vgpu
