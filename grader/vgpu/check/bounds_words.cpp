// Message, note and help of accesses out of bounds.
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "text/counted.h"
#include "vgpu/check/address_parts.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/given_sizes.h"
#include "vgpu/check/launch_words.h"
#include "vgpu/check/mixed_axes.h"
#include "vgpu/check/size_factor.h"
#include "vgpu/check/verdict_words.h"

namespace cudalabs::vgpu {

using namespace finding_ids;

namespace {

constexpr std::uint32_t kBytesOfFloat = 4;

/// "is `sizeof` missing?", where the factor is what a number of elements of this size was multiplied with too little:
/// their size, or what it is more than that of a `float`. Else empty.
std::string_view question_of_size(const SizeFactor& factor, std::uint32_t element_bytes) {
  if (factor.times == element_bytes) return kSizeofQuestion;
  if (element_bytes > kBytesOfFloat && factor.times * kBytesOfFloat == element_bytes)
    return "is it the `sizeof` of another type?";
  return {};
}

std::string help_with_size(std::uint32_t element_bytes) {
  return fmt::format(
      "sizes of allocations are in bytes: the number of elements times the size of one, such as `n * sizeof({})`",
      element_bytes == sizeof(double) ? "double" : "float");
}

}  // namespace

/// The access is in addresses that the program has reserved, and has not made fit for it. False: it is not.
bool VerdictWords::is_without_mapping(Finding& f) const {
  const auto range = s_.verdict == Verdict::global_out_of_bounds ? names_.nearest(s_.space, s_.address) : std::nullopt;
  const bool inside = range && s_.address >= range->address && s_.address - range->address < range->bytes;
  if (!inside || range->freed) return false;
  const std::string place = fmt::format("{} into {} of reserved addresses",
                                        counted(s_.address - range->address, "byte"), counted(range->bytes, "byte"));
  switch (range->state) {
    case RangeState::unmapped:
      f.message = access_text() + " at addresses that are reserved, and have no memory";
      f.note = place + " to which nothing is mapped";
      f.help =
          "map memory there before the launch: `cuMemCreate`, `cuMemMap` and `cuMemSetAccess`, for all that kernels "
          "use; and do not unmap it before they have ended";
      break;
    case RangeState::no_access:
      f.message = access_text() + " in memory that the device has no access to";
      f.note = place + ": memory is mapped there, and a new mapping may not be accessed by anybody";
      f.help = "call `cuMemSetAccess` for these addresses after `cuMemMap`, with `CU_MEM_ACCESS_FLAGS_PROT_READWRITE`";
      break;
    case RangeState::read_only:
      f.message = access_text() + " in memory that the device may only read";
      f.note = place + ", whose access is `CU_MEM_ACCESS_FLAGS_PROT_READ`";
      f.help = "call `cuMemSetAccess` with `CU_MEM_ACCESS_FLAGS_PROT_READWRITE` where kernels write";
      break;
    case RangeState::read_write:
      return false;
  }
  f.id = kGlobalOutOfBounds;
  f.access = facts();
  f.note += "\n" + launch_note(config_, elements_text());
  name_call(f);
  return true;
}

void VerdictWords::out_of_bounds(Finding& f) {
  f.address = s_.address;
  if (is_without_mapping(f)) return;
  if (s_.tensor && s_.verdict == Verdict::global_out_of_bounds) return box_outside(f);
  switch (s_.verdict) {
    case Verdict::shared_out_of_bounds:
      f.id = kSharedOutOfBounds;
      f.message = access_text() + (s_.owner ? " outside the shared memory of " + block_text(*s_.owner)
                                            : std::string(" outside the block's shared memory"));
      f.help = "check the index against the size of the `__shared__` array";
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
      f.message = access_text() +
                  (is_partly_inside() ? " that are in an allocation only in part" : " outside every allocation");
      f.help = global_bounds_help();
  }
  f.access = facts();
  f.note = distance_text();
  const bool of_threads = s_.verdict == Verdict::shared_out_of_bounds || s_.verdict == Verdict::global_out_of_bounds;
  if (of_threads) f.note += "\n" + launch_note(config_, elements_text());
  if (s_.verdict == Verdict::shared_out_of_bounds) compare_with_launch(f);
  if (s_.verdict == Verdict::global_out_of_bounds && !name_large_product(f) && !name_mixed_axes(f)) {
    compare_with_allocation(f);
    if (f.where.known()) name_pitch(f);
    if (f.where.known()) name_cut_index(f);
    if (f.where.known()) name_given(f);
    if (f.where.known() && !name_surplus_blocks(f)) name_short_argument(f);
  }
  name_call(f);
}

/// An access in a function that the kernel calls: what is wrong may be what it is given there.
void VerdictWords::name_call(Finding& f) const {
  if (f.other || !s_.at.call || !f.where.known()) return;
  const SourcePlace call = names_.place(*s_.at.call);
  if (call.file == f.where.file && call.known() && call.line != f.where.line)
    f.other = OtherPlace{"called here", call, {}, {}, PlaceRole::call};
}

/// The access begins before the end of what it is near to, and ends after it.
bool VerdictWords::is_partly_inside() const {
  const auto range = names_.nearest(s_.space, s_.address);
  if (!range || s_.address < range->address) return false;
  const std::uint64_t end = range->address + range->bytes;
  return s_.address < end && s_.address + s_.bytes > end;
}

/// Rows that are too far apart, by an argument of the launch that counts elements here and would fit as bytes.
void VerdictWords::name_pitch(Finding& f) const {
  const auto range = names_.nearest(s_.space, s_.address);
  const bool behind = range && range->asked_for && s_.address >= range->address + range->bytes;
  if (!behind) return;
  const auto stride = pitch_in_elements(*range, config_, refused_accesses(), s_.bytes, names_.values_given());
  if (!stride || stride->argument == 0) return;
  f.launch.argument = stride->argument;
  f.note = fmt::format("{} are {} apart here: argument {} of the launch, {}, counts elements of {}\n{}",
                       name_of(stride->axis, true), counted(stride->bytes(), "byte"), stride->argument,
                       stride->elements, counted(s_.bytes, "byte"), f.note);
}

/// What the program computed with the product is worth nothing: its line is the one to change.
bool VerdictWords::name_large_product(Finding& f) const {
  if (!s_.at.instruction || !f.block || !f.thread || !f.where.known()) return false;
  const auto product = names_.large_product(*s_.at.instruction, config_, *f.block, *f.thread);
  if (!product || product->where.file != f.where.file || !product->where.known()) return false;
  const std::int64_t exact = product->left * product->right;
  const auto held = static_cast<std::int32_t>(static_cast<std::uint32_t>(exact));
  f.message = fmt::format("{} times {} is more than an `int` can hold, and an index is computed from it", product->left,
                          product->right);
  f.note.insert(0, fmt::format("{} * {} = {}, and as an `int` it is {}\n", product->left, product->right, exact, held));
  f.help = "compute this product in 64 bits: convert one factor to `long long` before the multiplication";
  if (product->where.line == f.where.line) return true;
  f.other = OtherPlace{access_text() + " outside every allocation", f.where, f.block, f.thread};
  f.where = product->where;
  f.block.reset();
  f.thread.reset();
  return true;
}

/// Bits that an index lost lead far away, and not just behind the end, where the last block sticks out.
void VerdictWords::name_cut_index(Finding& f) const {
  const auto range = names_.nearest(s_.space, s_.address);
  if (!s_.at.instruction || !range) return;
  const std::uint64_t end = range->address + range->bytes;
  if (s_.address >= end && is_last_block_of(s_.address - end)) return;
  const auto cut = names_.cut_index(*s_.at.instruction);
  if (!cut || !cut->known() || (cut->file == f.where.file && cut->line == f.where.line)) return;
  f.other = OtherPlace{"the index loses its upper bits here", *cut, {}, {}};
  f.help = "an index is kept in fewer bits than it needs: compute it in `long long` or `std::size_t` throughout";
}

/// Of an array of the caller's what its threads are for; of one with rows and columns only where it is written, for a
/// kernel may read whole rows.
std::string VerdictWords::elements_text() const {
  const auto range = s_.space == MemorySpace::global ? names_.nearest(s_.space, s_.address) : std::nullopt;
  if (!range || !range->flat || !range->type) return {};
  if (range->type->extents.size() == 1) return counted(range->type->extents[0], "element");
  const auto shape = rows_and_columns(*range);
  return shape && s_.at.access != AccessKind::load ? columns_and_rows(shape->columns, shape->rows) : std::string();
}

/// Whether it is known that the index takes rows for columns.
bool VerdictWords::name_mixed_axes(Finding& f) const {
  const auto range = names_.nearest(s_.space, s_.address);
  if (!range) return false;
  const MixedAxes mixed = mixed_axes(*range, config_, refused_accesses());
  if (mixed == MixedAxes::none) return false;
  const RowsAndColumns shape = *rows_and_columns(*range);
  const bool exchanged = mixed == MixedAxes::exchanged, of_grid = mixed == MixedAxes::grid_for_row;
  f.message.insert(0, exchanged ? "rows and columns are exchanged: "
                      : of_grid ? "a row is taken to be as wide as the grid: "
                                : "a row is taken to be as long as a column: ");
  f.help = fmt::format(
      "{}: element (row, column) of `{}` is at place `row * width + column`, where `width` is the length of a row, "
      "here {}{}",
      exchanged ? "the index has the column where the row belongs" : "the index has the wrong width", range->name,
      shape.columns,
      exchanged
          ? "; the row comes from y, the column from x"
          : fmt::format(", and not {}", of_grid ? std::uint64_t{config_.grid[0]} * config_.block[0] : shape.rows));
  return true;
}

bool VerdictWords::is_unconditional() const {
  return s_.at.instruction && names_.always_executed(*s_.at.instruction);
}

/// A guard is what is missing where there is none. The sizes are asked for where the launch did not give those of the
/// array.
Help VerdictWords::global_bounds_help() const {
  const auto range = names_.nearest(s_.space, s_.address);
  if (is_partly_inside() && range->bytes % s_.bytes != 0) {
    return fmt::format(
        "the array has {}, no multiple of the {} of one such access: let it go only over whole groups of {}, and do "
        "what is left over in smaller parts; is the number of groups rounded up?",
        counted(range->bytes, "byte"), s_.bytes, counted(s_.bytes, "byte"));
  }
  const bool is_row = range && range->flat && range->type && range->type->extents.size() == 1;
  const std::string_view dimensions = is_row ? "" : " in every dimension";
  const std::string check = range && has_given_size(*range, s_.bytes, names_.values_given())
                                ? std::string()
                                : fmt::format("; check that {} the array was allocated with",
                                              is_row ? "the number of elements is the one" : kSizesAreTheOnes);
  if (is_unconditional())
    return {
        check.empty() ? Advice::unsaid : Advice::guard_and_sizes,
        fmt::format("let only threads whose index is inside the array touch it, `if (i < n)`{}{}", dimensions, check)};
  return {check.empty() ? Advice::look_at_conditions : Advice::look_at_conditions_and_sizes,
          fmt::format("{}{}{}", words_of(Advice::look_at_conditions), dimensions, check)};
}

/// Whether the refused accesses, all of them, meant the range that this one did.
bool VerdictWords::ends_near(const NamedRange& range) const {
  const auto there = names_.nearest(s_.space, s_.end - 1);
  return there && there->address == range.address;
}

/// Whether fewer bytes than a block accesses are behind the end, as when the last block sticks out of the array.
bool VerdictWords::is_last_block_of(std::uint64_t bytes_behind) const {
  const auto& [x, y, z] = config_.block;
  return bytes_behind < std::uint64_t{x} * y * z * s_.bytes;
}

/// The allocation has as many elements as the launch says, and the accesses go on to another number of them: there is
/// no size to doubt.
bool VerdictWords::is_sized_as_given(const NamedRange& range, std::uint64_t needed) const {
  const std::vector<GivenValue> given = names_.values_given();
  const auto is_given = [&](std::uint64_t bytes) {
    return bytes % s_.bytes == 0 && is_given_count(bytes / s_.bytes, given);
  };
  return s_.bytes != 0 && is_given(range.bytes) && !is_given(needed);
}

/// Of an access behind the end of memory that the program allocated: shows where, and says how much was needed. Where
/// that is as many times too much as an element has bytes, the allocation is to blame. Threads that nothing holds back
/// may go any number of elements too far, that one as well: they are to blame themselves, and where only the last block
/// sticks out, the allocation has nothing to do with it.
void VerdictWords::compare_with_allocation(Finding& f) const {
  const auto range = names_.nearest(s_.space, s_.address);
  if (!range || !range->asked_for || s_.address < range->address ||
      s_.address + s_.bytes <= range->address + range->bytes)
    return;
  const std::uint64_t needed = s_.end - range->address;
  const auto factor = size_factor(range->bytes, needed);
  const bool asks = factor && !is_sized_as_given(*range, needed);
  const std::string_view question = asks ? question_of_size(*factor, s_.bytes) : std::string_view();
  if (question.empty() && is_unconditional() && is_last_block_of(needed - range->bytes)) return;
  const bool all_near = !question.empty() || ends_near(*range);
  if (question.empty() || !factor->exact || is_unconditional()) {
    f.other = OtherPlace{"allocated here", {}, {}, {}, PlaceRole::allocation};  // the note says how much
    // Not that so much is needed: the index may go too far.
    if (all_near) f.other->label += fmt::format("; accesses go on to byte {}", needed);
    if (!question.empty()) f.other->label += fmt::format(": {}", question);
    return;
  }
  f.message = fmt::format("`{}` accesses {} times as many bytes as the allocation has", f.kernel, factor->times);
  f.note = fmt::format("{} allocated, {} needed: {}", counted(range->bytes, "byte"), needed, question);
  f.help = help_with_size(s_.bytes);
  f.other =
      OtherPlace{access_text() + " past its end", std::move(f.where), f.block, f.thread, PlaceRole::access, f.kernel};
  f.where = {};
  f.block.reset();
  f.thread.reset();
  f.kernel.clear();
  f.count = 1;  // of allocations
}

/// Shared memory of the size that the launch says: how much that is, and how far the kernel goes.
void VerdictWords::compare_with_launch(Finding& f) const {
  const auto range = names_.nearest(s_.space, s_.address);
  if (!range) return;
  const bool behind = s_.address >= range->address && s_.address <= std::numeric_limits<std::int32_t>::max();
  if (!range->by_launch || !behind) return;
  const std::uint64_t given = config_.dynamic_shared_bytes, end = s_.end - range->address;
  const std::string asked = given == 0 ? "no bytes" : counted(given, "byte");
  f.other = OtherPlace{
      fmt::format("{}{}, the kernel goes on to byte {}", kLaunchAsksFor, asked, end), {}, {}, {}, PlaceRole::launch};
  f.help = fmt::format("the third launch argument is the size of {} in bytes{}", name_of(s_.space, *range),
                       given == 0 ? ", and it is missing here: pass as many bytes as the kernel uses"
                                  : ": count all that the kernel keeps there, and check the index");
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

}  // namespace cudalabs::vgpu
