// What a thread knows of many blocks, in a form that is cheap to copy and to compare.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "vgpu/check/block_knowledge.h"

namespace cudalabs::vgpu {

/// Knowledge by block. Blocks that are neighbours lie together in groups, which copies share: where every block of a
/// grid learns of all before it, a copy of what is known of a thousand blocks is 32 pointers.
class BlocksKnown {
 public:
  /// Null when nothing is known of `block`.
  const BlockKnowledge* find(std::uint64_t block) const {
    const auto at = place(block / kBlocks);
    if (at == groups_.end() || at->number != block / kBlocks) return nullptr;
    const BlockKnowledge& known = at->group->blocks[block % kBlocks];
    return known.empty() ? nullptr : &known;
  }
  /// Of no other block than this one.
  bool is_of(std::uint64_t block) const {
    if (groups_.empty()) return true;
    if (groups_.size() > 1 || groups_.front().number != block / kBlocks) return false;
    const auto& blocks = groups_.front().group->blocks;
    for (std::size_t i = 0; i < kBlocks; ++i) {
      if (i != block % kBlocks && !blocks[i].empty()) return false;
    }
    return true;
  }
  /// Knows all that `other` knows.
  bool covers(const BlocksKnown& other) const {
    auto mine = groups_.begin();
    for (const Numbered& theirs : other.groups_) {
      while (mine != groups_.end() && mine->number < theirs.number) ++mine;
      if (mine == groups_.end() || mine->number != theirs.number) return false;
      if (mine->group != theirs.group && !covers(*mine->group, *theirs.group)) return false;
    }
    return true;
  }
  void set(std::uint64_t block, const BlockKnowledge& knowledge) { writable(block) = knowledge; }
  void join(std::uint64_t block, const BlockKnowledge& knowledge) {
    const BlockKnowledge* known = find(block);
    if (known == nullptr || !known->covers(knowledge)) writable(block).join(knowledge);
  }
  void join(const BlocksKnown& other) {
    for (const Numbered& theirs : other.groups_) {
      const auto at = groups_.begin() + (place(theirs.number) - groups_.cbegin());
      if (at == groups_.end() || at->number != theirs.number) {
        groups_.insert(at, theirs);
      } else if (at->group == theirs.group || covers(*at->group, *theirs.group)) {
        continue;
      } else if (covers(*theirs.group, *at->group)) {
        at->group = theirs.group;
      } else {
        Group& mine = writable(*at);
        for (std::size_t i = 0; i < kBlocks; ++i) mine.blocks[i].join(theirs.group->blocks[i]);
      }
    }
  }

 private:
  static constexpr std::size_t kBlocks = 32;
  struct Group {
    std::array<BlockKnowledge, kBlocks> blocks;  // empty: nothing is known
  };
  struct Numbered {
    std::uint64_t number = 0;  // of blocks `number` * kBlocks and those after it
    std::shared_ptr<Group> group;
  };
  using Groups = std::vector<Numbered>;  // by number; none without knowledge

  static bool covers(const Group& all, const Group& part) {
    for (std::size_t i = 0; i < kBlocks; ++i) {
      if (!all.blocks[i].covers(part.blocks[i])) return false;
    }
    return true;
  }
  Groups::const_iterator place(std::uint64_t number) const {
    return std::ranges::lower_bound(groups_, number, {}, &Numbered::number);
  }
  static Group& writable(Numbered& numbered) {
    if (numbered.group.use_count() > 1) numbered.group = std::make_shared<Group>(*numbered.group);
    return *numbered.group;
  }
  BlockKnowledge& writable(std::uint64_t block) {
    const std::uint64_t number = block / kBlocks;
    auto at = groups_.begin() + (place(number) - groups_.cbegin());
    if (at == groups_.end() || at->number != number) at = groups_.insert(at, {number, std::make_shared<Group>()});
    return writable(*at).blocks[block % kBlocks];
  }

  Groups groups_;
};

}  // namespace cudalabs::vgpu
