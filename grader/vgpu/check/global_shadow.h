// Shadow cells of global memory for the race filter: one for every word of the address window, in lines of 256 bytes.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "vgpu/check/global_cell.h"
#include "vgpu/memory/reservation.h"

namespace cudalabs::vgpu {

/// One for the whole virtual GPU, kept from launch to launch; a line forgets the last launch when it is first touched
/// in the next. Worker threads share it: a line is changed under its own lock, which costs one atomic exchange for all
/// the lanes of a warp that fall into it, and cells are plain memory.
///
/// Many arrays are read by all blocks, inner loops read hardly anything else, and a cell that several blocks have read
/// never changes again but by a race. So a line all of whose words are in this state is marked in `saturated`, and
/// loads from it need no more than a look at the mark.
class GlobalShadow {
 public:
  /// `base`: lowest device address an access may have, a multiple of the line; `bytes`: size of the address range.
  /// Reserves address space only, pages are taken as they are touched. Throws std::bad_alloc.
  GlobalShadow(std::uint64_t base, std::uint64_t bytes);

  /// Between launches: gives back the pages of a range that will not be used again (or not soon).
  void release(std::uint64_t address, std::uint64_t bytes);

  void begin_launch();

  static constexpr std::uint64_t kWord = 4;
  static constexpr std::uint64_t kLineWords = 64;
  static constexpr std::uint64_t kLineBytes = kWord * kLineWords;

  struct Line {
    std::atomic<std::uint32_t> lock{0};
    std::uint32_t launch = 0;     // the launch that the cells belong to
    std::uint32_t saturated = 0;  // words in state read_by_blocks
    std::uint32_t bytes = 0;      // 1 + index of the byte cells that replace the word cells; 0: none
  };
  using ByteCells = std::array<GlobalCell, kLineBytes>;

  /// Holds a line while its cells are read and changed.
  class Hold {
   public:
    Hold(GlobalShadow& shadow, std::uint64_t number, bool lock) : line_(shadow.lines_[number]), lock_(lock) {
      if (lock_) {
        while (line_.lock.exchange(1, std::memory_order_acquire) != 0) {
        }
      }
      if (line_.launch != shadow.launch_) shadow.renew(line_, number);
    }
    ~Hold() {
      if (lock_) line_.lock.store(0, std::memory_order_release);
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    Line& line() const { return line_; }

   private:
    Line& line_;
    bool lock_;
  };

  std::uint64_t base() const { return base_; }
  std::uint64_t offset(std::uint64_t address) const { return address - base_; }
  GlobalCell* words(std::uint64_t line) const { return cells_ + line * kLineWords; }
  /// The byte cells of a held line, split from its word cells if need be.
  ByteCells& bytes(Line& line, std::uint64_t number);
  void count_saturated(Line& line, std::uint64_t number, std::uint32_t words) {
    line.saturated += words;
    if (line.saturated == kLineWords) marks_[number].store(mark_, std::memory_order_relaxed);
  }
  /// A byte for every line: `mark()` where all words of the line are known to be read by several blocks. Other threads
  /// may set marks meanwhile; to miss one costs time only.
  const std::atomic<std::uint8_t>* marks() const { return marks_; }
  std::uint8_t mark() const { return mark_; }

 private:
  void renew(Line& line, std::uint64_t number);
  ByteCells* byte_cells_of(const Line& line);

  std::uint64_t base_;
  Reservation cell_memory_, line_memory_, mark_memory_;
  GlobalCell* cells_;
  Line* lines_;
  std::atomic<std::uint8_t>* marks_;
  std::uint32_t launch_ = 0;
  std::uint8_t mark_ = 0;  // what a mark of this launch looks like
  std::mutex mutex_;       // guards byte_cells_ and byte_cells_used_
  std::vector<std::unique_ptr<ByteCells>> byte_cells_;
  std::uint32_t byte_cells_used_ = 0;
};

}  // namespace cudalabs::vgpu
