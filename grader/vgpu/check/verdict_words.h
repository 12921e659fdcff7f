// The words of one finding, by what it is about: race_words.cpp, barrier_words.cpp, bounds_words.cpp,
// memory_words.cpp, cluster_words.cpp, copy_words.cpp, tensor_words.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/check/finding_log.h"

namespace cudalabs::vgpu {

/// "read", "write", "atomic update".
std::string_view verb(AccessKind kind);
/// "`tile`", or what it is where it has no name.
std::string name_of(MemorySpace space, const NamedRange& range);
/// "`tile[0][3]`", or where the type is not known "byte 12 of `tile` (1024 bytes), its element 3", where elements are
/// what an access of `bytes` bytes touches.
std::string range_text(MemorySpace space, const NamedRange& range, std::uint64_t address, std::uint32_t bytes);
/// "tile[0][3]"; empty: what is touched is no whole element of a known type.
std::string element_text(const NamedRange& range, std::uint64_t address, std::uint32_t bytes);
/// "`tile[16][0]` where `tile[15][15]` is the last", of an access behind the end; empty where the source counts
/// otherwise, or it is not known how.
std::string past_end_text(const NamedRange& range, std::uint64_t address, std::uint32_t bytes);

/// Everything the words of one finding are made from. What it is made of must outlive it.
class VerdictWords {
 public:
  VerdictWords(const Sighting& sighting, const LaunchNames& names, const LaunchConfig& config)
      : s_(sighting), names_(names), config_(config) {
    if (s_.at.instruction) where_ = names_.place(*s_.at.instruction);
    if (s_.other && s_.other->instruction) other_ = names_.place(*s_.other->instruction);
    meeting_ = meeting();
  }

  Finding build();

 private:
  void fill(Finding& f);

  void race(Finding& f);
  std::string line(std::uint32_t instruction) const;
  std::string handing_over() const;
  std::string fence_facts() const;
  std::string fence_help() const;
  Help race_help(bool equal, bool between_blocks) const;
  void doubled_work(Finding& f) const;
  void name_same_array(Finding& f) const;
  void name_warp_barrier(Finding& f) const;
  bool in_one_round() const;
  std::string differing_axis() const;

  // Where a barrier between the two accesses goes, in barrier_advice.cpp.
  struct GuardsBetween {
    std::vector<AccessGuard> of_both, of_one;  // those that a barrier is in, and those that it can be outside of
  };
  /// Of two accesses the places in the function that both are of, after what was inlined: of one there, or of the call
  /// that leads to it.
  struct Meeting {
    SourcePlace where, other;
    std::size_t depth = 0;  // of inlined calls around that function
    bool is_of_calls = false;
  };
  Meeting meeting() const;
  GuardsBetween guards_around() const;
  Help barrier_help(bool may_be_of_warp) const;
  bool goes_to_end_of_round() const;
  bool is_in_loop() const;
  std::string of_file() const;
  Help put_between(Advice advice) const;
  BarrierLines lines_of_missing() const;
  std::string all_must_reach(const AccessGuard& guard) const;
  std::uint32_t line_of(const AccessGuard& guard) const;
  bool has_barrier_after_other() const;
  bool is_between_rounds() const;

  void barrier_parties(Finding& f, const char* label);
  void barrier_sites(Finding& f);
  void barrier_calls(Finding& f);
  void barrier_exited(Finding& f);
  void barrier_deadlock(Finding& f);
  void warp_deadlock(Finding& f);
  void missed_sync(Finding& f);
  void ended_before_sync(Finding& f);
  void outside_mask(Finding& f);
  void missing_lanes(Finding& f);
  void inactive_shuffle(Finding& f);
  void name_way_of_lane(Finding& f) const;
  std::optional<SourcePlace> only_guard() const;
  void waiting(Finding& f);
  void memory_barrier_deadlock(Finding& f);
  /// "bulk copy", "asynchronous store": what goes on beside its thread.
  std::string copy_name(const Party& copy) const;
  std::string copy_wait_help(const Party& copy) const;
  void bulk_race(Finding& f);
  void bulk_begins_early(Finding& f) const;
  void bulk_overwritten(Finding& f) const;
  void bulk_unfenced(Finding& f);
  void bulk_unfinished(Finding& f);
  void bulk_size(Finding& f);
  std::string range_of_first() const;
  void tensor_map(Finding& f);
  void box_outside(Finding& f) const;
  void box_misaligned(Finding& f) const;
  void name_tensor(Finding& f) const;
  void map_elsewhere(Finding& f) const;
  std::vector<AccessGuard> guards_of(const Party& party) const;
  std::optional<SourcePlace> parting() const;
  void show_parting(Finding& f) const;

  /// The barrier of a group of several blocks between the two accesses.
  std::string barrier_of(std::string_view call, std::string_view group) const;

  // Of blocks of a cluster.
  std::string block_text(std::uint64_t block) const;
  std::string owned_text() const;
  bool of_one_cluster() const;
  std::string cluster_barrier_help() const;
  void cluster_race(Finding& f);
  void cluster_block_not_begun(Finding& f);
  void cluster_block_ends_early(Finding& f);
  void cluster_block_ended(Finding& f);
  void cluster_block_missing(Finding& f);
  void cluster_barrier_exited(Finding& f);
  void cluster_barrier_deadlock(Finding& f);
  void cluster_arrived_twice(Finding& f);

  std::string access_text() const;
  std::vector<AccessOfThread> refused_accesses() const;
  void name_misaligned_part(Finding& f) const;
  void name_pitch(Finding& f) const;
  AccessFacts facts() const;
  void name_element(AccessFacts& facts) const;
  void out_of_bounds(Finding& f);
  bool is_unconditional() const;
  Help global_bounds_help() const;
  bool ends_near(const NamedRange& range) const;
  bool is_last_block_of(std::uint64_t bytes_behind) const;
  bool is_sized_as_given(const NamedRange& range, std::uint64_t needed) const;
  bool is_without_mapping(Finding& f) const;
  bool is_partly_inside() const;
  void compare_with_allocation(Finding& f) const;
  void compare_with_launch(Finding& f) const;
  std::string distance_text() const;
  std::string elements_text() const;
  bool name_mixed_axes(Finding& f) const;
  bool name_large_product(Finding& f) const;
  void name_cut_index(Finding& f) const;
  void name_given(Finding& f) const;
  bool name_surplus_blocks(Finding& f) const;
  bool name_short_argument(Finding& f) const;
  void name_call(Finding& f) const;
  void write_to_constant(Finding& f);
  void input_overwritten(Finding& f);
  void misaligned(Finding& f);
  void host_pointer(Finding& f);
  void null_pointer(Finding& f);
  void use_after_free(Finding& f);
  std::string copy_help() const;
  void uninitialized(Finding& f);

  const Sighting& s_;
  const LaunchNames& names_;
  const LaunchConfig& config_;
  SourcePlace where_, other_;
  Meeting meeting_;
};

}  // namespace cudalabs::vgpu
