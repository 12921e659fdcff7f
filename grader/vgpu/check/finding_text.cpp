// Message, note and help of every verdict: what happened, the facts, what to do next.
#include "vgpu/check/finding_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "text/counted.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/verdict_words.h"

namespace cudalabs::vgpu {

std::string_view verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return "read";
    case AccessKind::store:
      return "write";
    case AccessKind::atomic:
      return "atomic update";
  }
  return "access";
}

std::string name_of(MemorySpace space, const NamedRange& range) {
  if (!range.name.empty()) return "`" + range.name + "`";
  return space == MemorySpace::shared ? "the block's shared memory" : "an allocation";
}

namespace {

/// Nothing where an access of `bytes` bytes says that elements are not what they were taken for.
std::optional<ptx::Element> element_of(const NamedRange& range, std::uint64_t address, std::uint32_t bytes) {
  if (!range.type || range.name.empty() || address < range.address) return std::nullopt;
  ptx::Element element = ptx::element_at(*range.type, address - range.address, bytes);
  if (range.type->assumed && (element.bytes != bytes || element.into != 0)) return std::nullopt;
  return element;
}

/// A pointer has one subscript in the source: what the two of an array of two dimensions mean.
std::string row_and_column(const NamedRange& range, std::uint64_t address) {
  if (!range.flat || range.type->extents.size() != 2) return {};
  const std::uint64_t index = (address - range.address) / range.type->element->bytes, width = range.type->extents[1];
  return fmt::format(" (row {}, column {})", index / width, index % width);
}

}  // namespace

std::string element_text(const NamedRange& range, std::uint64_t address, std::uint32_t bytes) {
  const auto element = element_of(range, address, bytes);
  return element && element->into == 0 ? range.name + element->path : std::string();
}

std::string range_text(MemorySpace space, const NamedRange& range, std::uint64_t address, std::uint32_t bytes) {
  if (const auto element = element_of(range, address, bytes)) {
    return fmt::format("{}`{}{}`{}", element->into == 0 ? "" : fmt::format("byte {} of ", element->into), range.name,
                       element->path, row_and_column(range, address));
  }
  const std::uint64_t offset = address - range.address;
  std::string text = fmt::format("byte {} of {} ({})", offset, name_of(space, range), counted(range.bytes, "byte"));
  // An access wider than any number is of several elements.
  const bool whole = bytes != 0 && bytes <= sizeof(double) && offset % bytes == 0 && range.bytes % bytes == 0;
  if (!range.name.empty() && whole && range.bytes > bytes) {
    text += fmt::format(", its element {}", offset / bytes);
  }
  return text;
}

std::string past_end_text(const NamedRange& range, std::uint64_t address, std::uint32_t bytes) {
  const auto element = range.flat ? std::nullopt : element_of(range, address, bytes);
  if (!element || element->path.empty() || range.bytes < element->bytes) return {};
  const auto last = element_of(range, range.address + range.bytes - element->bytes, bytes);
  if (!last) return {};
  return fmt::format("`{0}{1}` where `{0}{2}` is the last", range.name, element->path, last->path);
}

Finding VerdictWords::build() {
  Finding f;
  f.where = where_;
  f.kernel = names_.kernel();
  f.block = coordinates(s_.at.thread.block, config_.grid);
  f.thread = coordinates(s_.at.thread.thread, config_.block);
  f.count = s_.count;
  fill(f);
  name_tensor(f);
  if (s_.at.instruction) f.called_from = names_.called_from(*s_.at.instruction, s_.at.call);
  if (s_.other && s_.other->instruction)
    f.other_called_from = names_.called_from(*s_.other->instruction, s_.other->call);
  return f;
}

void VerdictWords::fill(Finding& f) {
  switch (s_.verdict) {
    case Verdict::shared_race:
    case Verdict::shared_race_equal:
    case Verdict::shared_race_volatile:
    case Verdict::global_race_within_block:
    case Verdict::global_race_within_block_equal:
    case Verdict::global_race_within_block_volatile:
    case Verdict::global_race_between_blocks:
    case Verdict::global_race_between_blocks_equal:
      return race(f);
    case Verdict::cluster_race:
    case Verdict::cluster_race_equal:
      return cluster_race(f);
    case Verdict::cluster_block_not_begun:
      return cluster_block_not_begun(f);
    case Verdict::cluster_block_ends_early:
      return cluster_block_ends_early(f);
    case Verdict::cluster_block_ended:
      return cluster_block_ended(f);
    case Verdict::cluster_block_missing:
      return cluster_block_missing(f);
    case Verdict::cluster_barrier_missed_by_exited:
      return cluster_barrier_exited(f);
    case Verdict::cluster_barrier_deadlock:
      return cluster_barrier_deadlock(f);
    case Verdict::cluster_arrived_twice:
      return cluster_arrived_twice(f);
    case Verdict::bulk_race:
      return bulk_race(f);
    case Verdict::bulk_unfenced:
      return bulk_unfenced(f);
    case Verdict::bulk_unfinished:
      return bulk_unfinished(f);
    case Verdict::bulk_size:
      return bulk_size(f);
    case Verdict::tensor_map:
      return tensor_map(f);
    case Verdict::memory_barrier_deadlock:
      return memory_barrier_deadlock(f);
    case Verdict::barrier_sites_differ:
      return barrier_sites(f);
    case Verdict::barrier_calls_differ:
      return barrier_calls(f);
    case Verdict::barrier_missed_by_exited:
      return barrier_exited(f);
    case Verdict::barrier_deadlock:
      return barrier_deadlock(f);
    case Verdict::warp_deadlock:
      return warp_deadlock(f);
    case Verdict::missed_sync:
      return missed_sync(f);
    case Verdict::ended_before_sync:
      return ended_before_sync(f);
    case Verdict::outside_mask:
      return outside_mask(f);
    case Verdict::missing_lanes:
      return missing_lanes(f);
    case Verdict::inactive_shuffle:
      return inactive_shuffle(f);
    case Verdict::global_out_of_bounds:
    case Verdict::shared_out_of_bounds:
    case Verdict::local_out_of_bounds:
    case Verdict::constant_out_of_bounds:
      return out_of_bounds(f);
    case Verdict::write_to_constant:
      return write_to_constant(f);
    case Verdict::input_overwritten:
      return input_overwritten(f);
    case Verdict::misaligned:
      return misaligned(f);
    case Verdict::host_pointer:
      return host_pointer(f);
    case Verdict::null_pointer:
      return null_pointer(f);
    case Verdict::use_after_free:
      return use_after_free(f);
    case Verdict::uninitialized_shared:
    case Verdict::uninitialized_global:
    case Verdict::uninitialized_register:
      return uninitialized(f);
  }
}

Finding finding_in_words(const Sighting& sighting, const LaunchNames& names, const LaunchConfig& config) {
  return VerdictWords(sighting, names, config).build();
}

Finding redundant_barrier(std::string kernel, SourcePlace where, std::uint64_t executed) {
  Finding f;
  f.id = finding_ids::kRedundantBarrier;
  f.severity = Severity::advice;
  f.message = "this barrier keeps no two conflicting accesses apart";
  f.where = std::move(where);
  f.kernel = std::move(kernel);
  f.count = executed;
  f.note = fmt::format("executed {} times by a block; no race would appear without it on the inputs tried", executed);
  f.help =
      "remove it if you can say why no thread reads what another wrote before it, nor overwrites what another still "
      "reads";
  return f;
}

}  // namespace cudalabs::vgpu
