// Walks the bytes of a pitched block in order, as pieces that are contiguous in device memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vgpu/cudart/protocol.h"

namespace cudalabs::vgpu {

class RowCursor {
 public:
  struct Piece {
    std::uint64_t address = 0, bytes = 0;
  };

  /// `rows` must not be empty; see `linear`.
  explicit RowCursor(const wire::Rows& rows) : rows_(linear(rows)) {}

  /// The next at most `most` bytes.
  Piece next(std::uint64_t most) {
    const Piece piece{rows_.address + row_ * rows_.pitch + column_, std::min(most, rows_.width - column_)};
    column_ += piece.bytes;
    if (column_ == rows_.width) {
      ++row_;
      column_ = 0;
    }
    return piece;
  }

 private:
  /// Rows without gaps are one long row.
  static wire::Rows linear(wire::Rows rows) {
    if (rows.height > 1 && rows.pitch == rows.width) {
      rows.width *= rows.height;
      rows.height = 1;
    }
    return rows;
  }

  wire::Rows rows_;
  std::uint64_t row_ = 0, column_ = 0;
};

}  // namespace cudalabs::vgpu
