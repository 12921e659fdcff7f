// The lines and nodes behind the lists.
#include "vgpu/check/access_history.h"

namespace cudalabs::vgpu {

void AccessHistory::clear() {
  lines_.clear();
  nodes_.clear();
  free_ = kEnd;
  last_number_ = ~std::uint64_t{0};
  last_line_ = nullptr;
}

AccessHistory::Line& AccessHistory::line_of(std::uint64_t address) {
  const std::uint64_t number = address / kLineBytes;
  if (number == last_number_) return *last_line_;
  auto& line = lines_[number];
  if (!line) line = std::make_unique<Line>();
  last_number_ = number;
  last_line_ = line.get();
  return *line;
}

void AccessHistory::split(Line& line, std::size_t word) {
  if (!line.bytes) line.bytes = std::make_unique<std::array<Cell, kLineBytes>>();
  for (std::size_t byte = 0; byte < kWord; ++byte) {
    Cell& cell = (*line.bytes)[word * kWord + byte];
    cell.read_by_many = line.words[word].read_by_many;
    cell.only_polled = line.words[word].only_polled;
    for (Index i = line.words[word].first; i != kEnd; i = nodes_[i].next) {
      const PastAccess copy = nodes_[i].access;  // push may move the nodes
      push(cell, copy);
    }
  }
  while (line.words[word].first != kEnd) remove(line.words[word].first);
  line.split_words |= 1ull << word;
}

AccessHistory::Index AccessHistory::new_node() {
  if (free_ != kEnd) {
    const Index index = free_;
    free_ = nodes_[index].next;
    return index;
  }
  nodes_.emplace_back();
  return static_cast<Index>(nodes_.size() - 1);
}

}  // namespace cudalabs::vgpu
