// What instructions are for, as far as a race depends on it: seen in the program's text, not in a run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "vgpu/analysis/index_products.h"
#include "vgpu/check/access_guard.h"
#include "vgpu/check/barrier_place.h"
#include "vgpu/exec/program.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

/// What becomes of the value that a load or an atomic gives; of a plain one it matters only for what is said first.
enum class LoadUse : std::uint8_t {
  unknown,   // nothing is held against it
  none,      // nothing depends on it
  wait,      // it decides whether its thread leaves a loop around it
  question,  // it is used for nothing but decisions: a flag
  data,
  atomic  // anything, of a load that its program calls atomic: it asked for a value of any time
};

/// A value that is only looked at, not computed with.
constexpr bool is_decision(LoadUse use) {
  return use == LoadUse::wait || use == LoadUse::question;
}

struct InstructionRole {
  LoadUse use = LoadUse::unknown;
  bool compares_and_swaps = false;
  bool counts = false;            // an atomic that adds or takes away
  bool only_looks = false;        // an atomic that adds 0, or sets no bit
  bool in_loop = false;           // barriers and strong loads: can be reached from itself
  bool waits_each_round = false;  // plain loads: in a loop that comes to a barrier in each round
};

/// Made once per module; instructions are numbered as in the program.
class InstructionRoles {
 public:
  InstructionRoles() = default;
  explicit InstructionRoles(std::vector<InstructionRole> roles, std::map<std::uint32_t, BarrierPlace> barriers = {})
      : roles_(std::move(roles)),
        barriers_(std::move(barriers)),
        any_compares_and_swaps_(std::ranges::any_of(roles_, &InstructionRole::compares_and_swaps)) {}

  /// Of an instruction of which nothing is known, nothing is held against it.
  InstructionRole of(std::uint32_t instruction) const {
    return instruction < roles_.size() ? roles_[instruction] : InstructionRole{};
  }
  /// Of a barrier: nothing where it is in no loop, or not known.
  BarrierPlace barrier(std::uint32_t instruction) const {
    const auto found = barriers_.find(instruction);
    return found == barriers_.end() ? BarrierPlace{} : found->second;
  }
  /// Of an access whose address is computed from an integer that was cut to fewer bits: the instruction that cuts it.
  std::optional<std::uint32_t> cut_index(std::uint32_t access) const {
    const auto found = cut_indices_.find(access);
    return found == cut_indices_.end() ? std::nullopt : std::optional(found->second);
  }
  void set_cut_indices(std::map<std::uint32_t, std::uint32_t> cuts) { cut_indices_ = std::move(cuts); }
  /// Of an access to global memory: the parameter of its kernel, from 0 on, that its address is computed from.
  std::optional<std::uint32_t> pointer(std::uint32_t access) const {
    const auto found = pointers_.find(access);
    return found == pointers_.end() ? std::nullopt : std::optional(found->second);
  }
  void set_pointers(std::map<std::uint32_t, std::uint32_t> pointers) { pointers_ = std::move(pointers); }
  /// Of an access: conditions on the thread that are around it, the outermost first.
  std::vector<AccessGuard> guards(std::uint32_t access) const {
    const auto found = guards_.find(access);
    return found == guards_.end() ? std::vector<AccessGuard>() : found->second;
  }
  void set_guards(std::map<std::uint32_t, std::vector<AccessGuard>> guards) { guards_ = std::move(guards); }
  /// Of an access: the products that its index is computed from; places are those of the module.
  const std::vector<IndexProduct>* products(std::uint32_t access) const {
    const auto found = products_.find(access);
    return found == products_.end() ? nullptr : &found->second;
  }
  void set_products(std::map<std::uint32_t, std::vector<IndexProduct>> products) { products_ = std::move(products); }
  bool any_compares_and_swaps() const { return any_compares_and_swaps_; }

 private:
  std::vector<InstructionRole> roles_;
  std::map<std::uint32_t, BarrierPlace> barriers_;  // by instruction
  std::map<std::uint32_t, std::uint32_t> cut_indices_, pointers_;
  std::map<std::uint32_t, std::vector<AccessGuard>> guards_;
  std::map<std::uint32_t, std::vector<IndexProduct>> products_;
  bool any_compares_and_swaps_ = false;
};

/// `module` is what `program` was made of.
InstructionRoles instruction_roles(const ptx::Module& module, const Program& program);

}  // namespace cudalabs::vgpu
