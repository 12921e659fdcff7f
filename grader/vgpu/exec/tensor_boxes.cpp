#include "vgpu/exec/tensor_boxes.h"

#include <algorithm>

namespace cudalabs::vgpu::exec {

namespace {

/// The pieces of one box, in the order of shared memory but for the swizzle.
class Pieces {
 public:
  Pieces(const TensorMap& map, std::uint64_t shared, bool loads)
      : swizzle_(map.swizzle), loads_(loads), shared_(shared) {}

  void add_outside(std::uint64_t bytes) {
    if (loads_) add(0, bytes, true);
    shared_ += loads_ ? 0 : bytes;
  }
  /// The next row begins here.
  void go_to(std::uint64_t shared) { shared_ = shared; }
  void add_inside(std::uint64_t global, std::uint64_t bytes) { add(global, bytes, false); }
  std::vector<BulkPiece> take() { return std::move(pieces_); }

 private:
  void add(std::uint64_t global, std::uint64_t bytes, bool outside) {
    while (bytes != 0) {
      const std::uint64_t to_next_unit = kBulkUnit - shared_ % kBulkUnit;
      const std::uint64_t now = swizzle_ == TensorSwizzle::none ? bytes : std::min(bytes, to_next_unit);
      add_piece(swizzled(shared_, swizzle_), global, static_cast<std::uint32_t>(now), outside);
      shared_ += now;
      global += outside ? 0 : now;
      bytes -= now;
    }
  }

  void add_piece(std::uint64_t shared, std::uint64_t global, std::uint32_t bytes, bool outside) {
    BulkPiece piece{loads_ ? shared : global, loads_ ? global : shared, bytes, outside};
    if (!pieces_.empty()) {
      BulkPiece& last = pieces_.back();
      const bool goes_on = last.outside == outside && last.to + last.bytes == piece.to;
      if (goes_on && (outside || last.from + last.bytes == piece.from)) {
        last.bytes += bytes;
        return;
      }
    }
    pieces_.push_back(piece);
  }

  TensorSwizzle swizzle_;
  bool loads_;
  std::uint64_t shared_;  // where the next element would lie without a swizzle
  std::vector<BulkPiece> pieces_;
};

}  // namespace

std::vector<BulkPiece> pieces_of_box(const TensorMap& map, const std::int32_t first[kMostTensorDimensions],
                                     std::uint64_t shared, bool loads) {
  const std::uint64_t size = bytes_of(map.type);
  Pieces pieces(map, shared, loads);
  std::uint64_t rows = 1;
  for (std::uint32_t i = 1; i < map.rank; ++i) rows *= map.count(i);
  const auto in_row = static_cast<std::int64_t>(map.count(0)), extent = static_cast<std::int64_t>(map.extents[0]);
  const std::int64_t begin = std::clamp<std::int64_t>(-std::int64_t{first[0]}, 0, in_row);
  const std::int64_t end = std::clamp<std::int64_t>(extent - first[0], begin, in_row);
  // Held to an H200: with a swizzle each row has the whole span, also if it is shorter, and what is left over stays as
  // it was.
  const std::uint64_t row_bytes = static_cast<std::uint64_t>(in_row) * size;
  const std::uint64_t pitch = map.swizzle == TensorSwizzle::none ? row_bytes : span_of(map.swizzle);
  for (std::uint64_t row = 0; row < rows; ++row) {
    pieces.go_to(shared + row * pitch);
    bool inside = begin < end;
    std::uint64_t address = map.address + static_cast<std::uint64_t>(first[0] + begin) * size, rest = row;
    for (std::uint32_t i = 1; i < map.rank; ++i) {
      const std::int64_t at = first[i] + static_cast<std::int64_t>(rest % map.count(i) * map.steps[i]);
      rest /= map.count(i);
      inside = inside && at >= 0 && static_cast<std::uint64_t>(at) < map.extents[i];
      address += static_cast<std::uint64_t>(at) * map.strides[i];
    }
    if (!inside) {
      pieces.add_outside(row_bytes);
      continue;
    }
    pieces.add_outside(static_cast<std::uint64_t>(begin) * size);
    pieces.add_inside(address, static_cast<std::uint64_t>(end - begin) * size);
    pieces.add_outside(static_cast<std::uint64_t>(in_row - end) * size);
  }
  return pieces.take();
}

}  // namespace cudalabs::vgpu::exec
