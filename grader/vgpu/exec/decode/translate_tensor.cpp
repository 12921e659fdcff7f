// Bulk copies of boxes of tensors in tile mode (PTX ISA: "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor").
#include <algorithm>
#include <string_view>
#include <utility>

#include "vgpu/exec/bulk_form.h"
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;

/// How many dimensions, in a mode that there is.
std::uint8_t Translator::tensor_suffixes(Suffixes& suffixes) const {
  const auto dimensions = suffixes.take_one<std::uint8_t>({{"1d", 1u}, {"2d", 2u}, {"3d", 3u}, {"4d", 4u}, {"5d", 5u}});
  require(dimensions.has_value(), "a tensor of this many dimensions");
  for (const std::string_view mode : {"im2col", "im2col::w", "im2col::w::128", "im2col_no_offs"})
    require(!suffixes.take(mode), "tensor copies in im2col mode");
  for (const std::string_view mode : {"tile::gather4", "tile::scatter4"})
    require(!suffixes.take(mode), "tensor copies of single rows");
  suffixes.take("tile");
  return *dimensions;
}

/// To shared memory "[to], [map, {coordinates}], [barrier]" and a mask of blocks; else "[map, {coordinates}], [from]".
/// A cache policy comes last. The coordinates are an operand of their own.
void Translator::copy_tensor(const ptx::Instruction& instruction, Suffixes& suffixes, bool reduces) {
  BulkForm form;
  form.dimensions = tensor_suffixes(suffixes);
  form.prefetch = suffixes.take("prefetch");
  if (form.prefetch) return prefetch_tensor(instruction, suffixes, form);
  form.to_cluster = suffixes.take("shared::cluster");
  const bool of_block = suffixes.take("shared::cta"), global = suffixes.take("global");
  const bool groups = suffixes.take("bulk_group"), bytes = suffixes.take("mbarrier::complete_tx::bytes");
  form.to_global = groups && global && of_block && !form.to_cluster;
  form.from_global = bytes && global && form.to_cluster != of_block;
  require(form.to_global || form.from_global, "this direction, or this way to wait");
  // Where it goes to comes first.
  const auto place_of = [&](std::string_view word) { return std::ranges::find(instruction.suffixes, word); };
  require((place_of("global") < std::min(place_of("shared::cta"), place_of("shared::cluster"))) == form.to_global,
          "this direction");
  form.multicast = suffixes.take("multicast::cluster");
  require(!form.multicast || form.to_cluster, "a multicast to the block alone");
  for (const std::string_view pair : {"cta_group::1", "cta_group::2"})
    require(!suffixes.take(pair), "copies for pairs of blocks");
  const bool hint = suffixes.take("L2::cache_hint");
  if (reduces) {
    require(form.to_global, "a reduction that is not from shared memory");
    form.reduction = take_reduction(suffixes);
    require(form.reduction.has_value(), "this operation");
  }
  const std::size_t expected = (form.to_global ? 3 : 4) + (form.multicast ? 1 : 0) + (hint ? 1 : 0);
  expect_operands(instruction, expected, expected);
  Operation operation{.opcode = Opcode::bulk_copy};
  std::size_t next = 0;
  const auto add_shared = [&](bool of_cluster) {
    operation.uses.push_back(whole_address(operand(instruction, next++), ptx::Space::shared, of_cluster));
  };
  if (form.from_global) add_shared(form.to_cluster);
  add_map(operation, instruction, next, form.dimensions);
  next += 2;
  add_shared(form.from_global && form.to_cluster);  // the barrier, or where it comes from
  if (form.multicast) operation.uses.push_back(in_32_bits(operand(instruction, next++)));
  operation.detail = form.packed();
  operation.type = form.type;
  append(std::move(operation));
}

/// The map, and the coordinates as one operand.
void Translator::add_map(Operation& operation, const ptx::Instruction& instruction, std::size_t at,
                         std::size_t dimensions) {
  operation.uses.push_back(whole_address(operand(instruction, at), ptx::Space::generic, false));
  const ptx::Operand& coordinates = operand(instruction, at + 1);
  const auto* vector = std::get_if<ptx::VectorOperand>(&coordinates.value);
  require((vector == nullptr ? 1 : vector->elements.size()) == dimensions, "as many coordinates as dimensions");
  for (std::size_t i = 0; i < dimensions; ++i) {
    const ptx::Operand& coordinate = vector == nullptr ? coordinates : vector->elements[i];
    operation.uses.push_back(in_register(use(coordinate, Type::s32), Type::s32));
  }
}

/// Changes when, not what; but a map it needs.
void Translator::prefetch_tensor(const ptx::Instruction& instruction, Suffixes& suffixes, const BulkForm& form) {
  require(suffixes.take("L2") && suffixes.take("global"), "a prefetch that is not from global memory");
  const std::size_t expected = suffixes.take("L2::cache_hint") ? 3 : 2;
  expect_operands(instruction, expected, expected);
  Operation operation{.opcode = Opcode::bulk_copy};
  add_map(operation, instruction, 0, form.dimensions);
  operation.detail = form.packed();
  operation.type = form.type;
  append(std::move(operation));
}

}  // namespace cudalabs::vgpu::exec
