// Matrices that a warp holds together: products, fragments from memory and to it, transposition. Memory is accessed as
// by loads and stores of each lane: bounds, alignment, unwritten bytes and races are seen in the same way.
#include "vgpu/exec/handlers/matrices.h"

#include <array>
#include <cstring>

#include "vgpu/exec/access.h"
#include "vgpu/exec/block.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/matrix_form.h"

namespace cudalabs::vgpu::exec {

namespace {

using tensor::Fragment;
using Rows = std::vector<std::uint32_t>;

constexpr std::uint32_t kMostElements = 512;  // of a matrix
constexpr std::uint32_t kRowBytes = 16;       // of a matrix that ldmatrix or stmatrix accesses
using Matrix = std::array<std::uint64_t, kMostElements>;

/// Where element `i` of a lane's fragment is.
std::byte* element(std::byte* registers, const Rows& rows, const Fragment& fragment, std::uint32_t lane,
                   std::uint32_t i) {
  const std::uint32_t bytes = tensor::bits_of(fragment.element) / 8, register_bytes = fragment.register_bytes();
  const std::uint32_t in_register = register_bytes / bytes;
  return registers + rows[i / in_register] + lane * register_bytes + i % in_register * bytes;
}

/// The matrix by rows. Of elements that are there more than once the first counts.
void gather(Matrix& matrix, std::byte* registers, const Rows& rows, const Fragment& fragment) {
  const std::uint32_t bytes = tensor::bits_of(fragment.element) / 8;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    for (std::uint32_t i = fragment.per_lane; i-- > 0;) {
      const tensor::Position& at = fragment.at(lane, i);
      std::uint64_t& bits = matrix[at.row * fragment.columns + at.column];
      bits = 0;
      std::memcpy(&bits, element(registers, rows, fragment, lane, i), bytes);
    }
  }
}

void scatter(const Matrix& matrix, std::byte* registers, const Rows& rows, const Fragment& fragment, LaneMask mask) {
  const std::uint32_t bytes = tensor::bits_of(fragment.element) / 8;
  for (const std::uint32_t lane : each_lane(mask)) {
    for (std::uint32_t i = 0; i < fragment.per_lane; ++i) {
      const tensor::Position& at = fragment.at(lane, i);
      std::memcpy(element(registers, rows, fragment, lane, i), &matrix[at.row * fragment.columns + at.column], bytes);
    }
  }
}

void multiply(const MatrixOperation& operation, std::byte* registers, LaneMask mask) {
  const MatrixForm& form = *operation.form;
  Matrix a, b, c, d;
  gather(a, registers, operation.a, form.a);
  gather(b, registers, operation.b, form.b);
  gather(c, registers, operation.c, form.c);
  tensor::multiply(form.product, a.data(), b.data(), c.data(), d.data());
  scatter(d, registers, operation.d, form.d, mask);
}

void transpose(const MatrixOperation& operation, std::byte* registers, LaneMask mask) {
  Matrix matrix;
  gather(matrix, registers, operation.a, operation.form->a);
  scatter(matrix, registers, operation.d, operation.form->d, mask);
}

/// Each lane's own: results may take the place of either.
struct Places {
  std::array<std::uint64_t, kWarpSize> address;
  std::array<std::uint32_t, kWarpSize> stride;

  Places(const MatrixOperation& operation, const std::byte* registers) {
    std::memcpy(address.data(), registers + operation.address, sizeof address);
    std::memcpy(stride.data(), registers + operation.stride, sizeof stride);
    for (std::uint64_t& at : address) at += static_cast<std::uint64_t>(operation.offset);
  }
};

/// The lanes' addresses of the piece, for the access to come; how many bytes it has.
MemoryDescriptor place(Warp* warp, const MatrixOperation& operation, const Places& places,
                       const MatrixOperation::Piece& piece, LaneMask mask) {
  const Fragment& fragment = operation.form->d;
  const std::uint32_t bytes = tensor::bits_of(fragment.element) / 8;
  MemoryDescriptor descriptor = *operation.memory;
  descriptor.bytes = static_cast<std::uint8_t>(piece.count * bytes);
  for (const std::uint32_t lane : each_lane(mask)) {
    const tensor::Position& at = fragment.at(lane, piece.first);
    const std::uint64_t line = operation.form->by_columns ? at.column : at.row;
    const std::uint64_t in_line = operation.form->by_columns ? at.row : at.column;
    const std::uint64_t behind = (line * places.stride[lane] + in_line) * bytes;
    warp->worker->addresses[lane] = (places.address[lane] + behind) & descriptor.address_mask;
  }
  return descriptor;
}

void load(const MicroOp* op, const MatrixOperation& operation, std::byte* registers, Warp* warp, LaneMask mask) {
  const Places places(operation, registers);
  for (const MatrixOperation::Piece& piece : operation.pieces) {
    const MemoryDescriptor descriptor = place(warp, operation, places, piece, mask);
    careful_load(warp, op, descriptor, mask);
    for (const std::uint32_t lane : each_lane(mask)) {
      std::memcpy(element(registers, operation.d, operation.form->d, lane, piece.first),
                  warp->worker->values + lane * descriptor.bytes, descriptor.bytes);
    }
  }
  for (const auto& [from, to] : operation.copies) {
    for (const std::uint32_t lane : each_lane(mask)) {
      std::memcpy(registers + operation.d[to] + 4 * lane, registers + operation.d[from] + 4 * lane, 4);
    }
  }
}

void store(const MicroOp* op, const MatrixOperation& operation, std::byte* registers, Warp* warp, LaneMask mask) {
  const Places places(operation, registers);
  for (const MatrixOperation::Piece& piece : operation.pieces) {
    const MemoryDescriptor descriptor = place(warp, operation, places, piece, mask);
    for (const std::uint32_t lane : each_lane(mask)) {
      std::memcpy(warp->worker->values + lane * descriptor.bytes,
                  element(registers, operation.d, operation.form->d, lane, piece.first), descriptor.bytes);
    }
    careful_store(warp, op, descriptor, mask);
  }
}

/// The lanes' addresses of rows, for the access to come; the lanes whose addresses count: 8 * i to 8 * i + 7 name the
/// rows of matrix i.
LaneMask place_rows(const MatrixOperation& operation, const std::byte* registers, Warp* warp, LaneMask mask) {
  const Places places(operation, registers);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    warp->worker->addresses[lane] = places.address[lane] & operation.memory->address_mask;
  }
  std::memset(warp->worker->values, 0, sizeof warp->worker->values);
  return mask & (operation.form->matrices == 4 ? kAllLanes : (1u << 8 * operation.form->matrices) - 1);
}

/// Calls `move(in a register, in a row)` for each element of 16 bits of each lane.
template <class Move>
void for_each_of_rows(const MatrixOperation& operation, std::byte* registers, Warp* warp, LaneMask mask, Move move) {
  const MatrixForm& form = *operation.form;
  for (std::uint32_t matrix = 0; matrix < form.matrices; ++matrix) {
    std::byte* const rows = warp->worker->values + std::size_t{matrix} * 8 * kRowBytes;
    for (const std::uint32_t lane : each_lane(mask)) {
      for (std::uint32_t i = 0; i < form.d.per_lane; ++i) {
        const tensor::Position& at = form.d.at(lane, i);
        move(registers + operation.d[matrix] + 4 * lane + 2 * i, rows + at.row * kRowBytes + 2 * at.column);
      }
    }
  }
}

void load_rows(const MicroOp* op, const MatrixOperation& operation, std::byte* registers, Warp* warp, LaneMask mask) {
  const LaneMask naming = place_rows(operation, registers, warp, mask);
  if (naming != 0) careful_load(warp, op, *operation.memory, naming);
  for_each_of_rows(operation, registers, warp, mask,
                   [](std::byte* value, const std::byte* element) { std::memcpy(value, element, 2); });
}

void store_rows(const MicroOp* op, const MatrixOperation& operation, std::byte* registers, Warp* warp, LaneMask mask) {
  const LaneMask naming = place_rows(operation, registers, warp, mask);
  for_each_of_rows(operation, registers, warp, mask,
                   [](const std::byte* value, std::byte* element) { std::memcpy(element, value, 2); });
  if (naming != 0) careful_store(warp, op, *operation.memory, naming);
}

}  // namespace

void operate_on_matrices(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  const MatrixOperation& operation = warp->worker->launch->code->matrices[op->extra];
  if (mask != kAllLanes) tell_missing_lanes(warp, op, mask);
  switch (operation.form->action) {
    case MatrixAction::multiply:
      return multiply(operation, registers, mask);
    case MatrixAction::load:
      return load(op, operation, registers, warp, mask);
    case MatrixAction::store:
      return store(op, operation, registers, warp, mask);
    case MatrixAction::load_rows:
      return load_rows(op, operation, registers, warp, mask);
    case MatrixAction::store_rows:
      return store_rows(op, operation, registers, warp, mask);
    case MatrixAction::transpose:
      return transpose(operation, registers, mask);
  }
}

}  // namespace cudalabs::vgpu::exec
