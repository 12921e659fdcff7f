// Micro-operations that access memory and parameters.
#include "vgpu/exec/decode/function_emitter.h"

#include <memory>

#include "vgpu/exec/bulk_form.h"
#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/handlers/select_memory.h"
#include "vgpu/memory/address_space.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

const MemoryDescriptor* FunctionEmitter::describe(const Operation& operation, AccessKind kind, ptx::Space space,
                                                  std::uint8_t bytes, Type type) {
  auto descriptor = std::make_unique<MemoryDescriptor>();
  descriptor->site = static_cast<std::uint32_t>(kernel_.memory.size());
  descriptor->space = space;
  descriptor->kind = kind;
  descriptor->order = operation.memory.order;
  descriptor->scope = operation.memory.scope;
  descriptor->bytes = bytes;
  descriptor->strong = operation.memory.is_volatile || operation.memory.order != MemoryOrder::weak;
  descriptor->of_cluster = operation.memory.of_cluster;
  descriptor->type = type;
  // A block's and a thread's own memory are small: a GPU computes addresses there in 32 bits, where -4 and the sum
  // of a negative index and a positive offset wrap, whatever the size of the register.
  const bool narrow = space == ptx::Space::shared || space == ptx::Space::local;
  if (narrow) descriptor->address_mask = 0xFFFF'FFFF;
  if (operation.memory.wraps) descriptor->address_mask = kGlobalBase | 0xFFFF'FFFF;
  kernel_.memory.push_back(std::move(descriptor));
  return kernel_.memory.back().get();
}

void FunctionEmitter::emit_access(const Operation& operation, MicroOp& op) {
  const bool storing = operation.opcode == Opcode::store;
  const std::uint32_t elements = operation.memory.lanes;
  const auto bytes = static_cast<std::uint8_t>(elements * ptx::size_in_bytes(operation.type));
  const auto reg = [&](std::size_t i) { return storing ? operation.uses[i + 1].reg : operation.defs[i]; };
  const std::uint32_t width = row_width(function_.registers[reg(0)].type);
  op.immediate = static_cast<std::uint64_t>(operation.memory.offset);
  op.data = describe(operation, storing ? AccessKind::store : AccessKind::load, operation.memory.space, bytes,
                     operation.type);
  const Value& base = operation.uses[0];
  if (operation.memory.indexed) {
    op.run = select_indexed_access(bytes, operation.source_type, storing, base.is_register());
    if (base.is_register()) op.a = offset(base.reg);
    (storing ? op.b : op.d) = offset(reg(0));
    op.c = offset(operation.uses.back().reg);
    op.extra = operation.detail;
    return;
  }
  op.a = base.is_register() ? offset(base.reg) : constant(base.bits, 8);
  for (std::size_t i = 0; i < elements; ++i) {
    if (row_width(function_.registers[reg(i)].type) != width) refuse(operation);
    field(op,
          storing
              ? std::initializer_list<std::uint32_t MicroOp::*>{&MicroOp::b, &MicroOp::c, &MicroOp::d, &MicroOp::extra}
              : std::initializer_list<std::uint32_t MicroOp::*>{&MicroOp::d, &MicroOp::b, &MicroOp::c, &MicroOp::extra},
          i) = offset(reg(i));
  }
  op.run = select_access(operation.type, elements, width, storing);
}

void FunctionEmitter::emit_atomic(const Operation& operation, MicroOp& op) {
  op.a = offset(operation.uses[0]);
  op.b = offset(operation.uses[1]);
  if (operation.uses.size() > 2) op.c = offset(operation.uses[2]);
  op.extra = operation.flag;
  if (operation.flag) op.d = offset(operation.defs[0]);
  op.immediate = static_cast<std::uint64_t>(operation.memory.offset);
  op.data = describe(operation, AccessKind::atomic, operation.memory.space,
                     static_cast<std::uint8_t>(ptx::size_in_bytes(operation.type)), operation.type);
  op.run = select_atomic(operation.type, static_cast<AtomicOperation>(operation.detail));
}

void FunctionEmitter::emit_barrier_look(const Operation& operation, MicroOp& op) {
  op.a = offset(operation.uses[0]);
  op.b = offset(operation.uses[1].reg);
  op.d = offset(operation.defs[0]);
  op.extra = operation.flag;
  op.immediate = static_cast<std::uint64_t>(operation.memory.offset);
  op.data = describe(operation, AccessKind::load, operation.memory.space, 8, Type::b64);
  op.run = barrier_look_handler();
}

void FunctionEmitter::emit_image(const Operation& operation, MicroOp& op) {
  const bool reducing = operation.opcode == Opcode::surface_reduce;
  const bool storing = reducing || operation.opcode == Opcode::surface_store;
  auto image = std::make_unique<ImageOperation>();
  const AccessKind kind = reducing ? AccessKind::atomic : storing ? AccessKind::store : AccessKind::load;
  image->memory = describe(operation, kind, ptx::Space::global, 4, reducing ? operation.type : Type::b32);
  image->dimensions = operation.detail & ir::kImageDimensions;
  image->detail = operation.detail;
  image->elements = operation.memory.lanes;
  image->element_bytes = static_cast<std::uint8_t>(ptx::size_in_bytes(operation.type));
  image->handle = offset(operation.uses[0].reg);
  std::size_t next = 1;
  if ((operation.detail & ir::kLayered) != 0) image->layer = offset(operation.uses[next++].reg);
  for (std::size_t i = 0; i < image->dimensions; ++i) image->coordinates[i] = offset(operation.uses[next++].reg);
  for (std::size_t i = 0; i < image->elements; ++i) {
    const std::uint32_t reg = storing ? operation.uses[next + i].reg : operation.defs[i];
    image->values[i] = offset(reg);
    image->value_bytes[i] = static_cast<std::uint8_t>(row_width(function_.registers[reg].type));
  }
  op.data = image.get();
  op.run = select_image(operation.opcode);
  kernel_.images.push_back(std::move(image));
}

void FunctionEmitter::emit_parameter(const Operation& operation, MicroOp& op) {
  const bool storing = operation.opcode == Opcode::store_blob;
  const bool kernel = operation.opcode == Opcode::load_parameter;
  const std::size_t elements = operation.memory.lanes;
  const auto reg = [&](std::size_t i) { return storing ? operation.uses[i].reg : operation.defs[i]; };
  const std::uint32_t width = row_width(function_.registers[reg(0)].type);
  std::uint32_t rows[4] = {};
  for (std::size_t i = 0; i < elements; ++i) {
    if (row_width(function_.registers[reg(i)].type) != width) refuse(operation);
    rows[i] = offset(reg(i));
  }
  op.extra = static_cast<std::uint32_t>(elements);
  op.immediate = operation.detail;
  if (storing) {
    op.b = rows[0];
    op.c = rows[1];
    op.d = rows[2];
  } else {
    op.d = rows[0];
    op.b = rows[1];
    op.c = rows[2];
  }
  if (kernel) {
    op.a = rows[3];
    op.run = select_parameter(operation.type, width);
  } else {
    op.a = offset(storing ? operation.defs[0] : operation.uses[0].reg);
    op.immediate |= static_cast<std::uint64_t>(rows[3]) << 32;
    op.run = select_blob(operation.type, width, storing);
  }
}

void FunctionEmitter::emit_async_copy(const Operation& operation, MicroOp& op) {
  op.a = offset(operation.uses[0]);
  op.b = offset(operation.uses[1]);
  op.c = offset(operation.uses[2]);
  op.extra = operation.detail;
  op.data =
      describe(operation, AccessKind::load, ptx::Space::global, static_cast<std::uint8_t>(operation.detail), Type::b8);
  describe(operation, AccessKind::store, ptx::Space::shared, static_cast<std::uint8_t>(operation.detail), Type::b8);
  op.run = select_async(operation.opcode);
}

void FunctionEmitter::emit_bulk_copy(const Operation& operation, MicroOp& op) {
  const BulkForm form = BulkForm::unpacked(operation.detail, operation.type);
  const bool is_tensor = form.dimensions != 0;
  auto bulk = std::make_unique<BulkOperation>();
  bulk->form = form;
  Operation access = operation;
  const auto space_of = [](bool global) { return global ? ptx::Space::global : ptx::Space::shared; };
  // Elements of a tensor begin where they begin.
  const auto unit_of = [&](bool global) {
    if (form.registers != 0) return static_cast<std::uint8_t>(form.registers * ptx::size_in_bytes(form.type));
    return static_cast<std::uint8_t>(global && is_tensor ? 1 : kBulkUnit);
  };
  if (form.registers == 0)
    bulk->source = describe(access, AccessKind::load, space_of(form.from_global), unit_of(form.from_global), Type::b8);
  access.memory.of_cluster = form.to_cluster;
  if (form.reduction) access.memory.order = MemoryOrder::relaxed;
  access.memory.scope = form.to_global ? MemoryScope::device : MemoryScope::cluster;
  bulk->target = describe(access, form.reduction ? AccessKind::atomic : AccessKind::store, space_of(form.to_global),
                          unit_of(form.to_global), form.type);
  std::size_t next = 0;
  if (!is_tensor || form.from_global) bulk->to = offset(operation.uses[next++]);
  if (is_tensor) {
    Operation reads_map = operation;
    reads_map.memory = {};
    bulk->map = describe(reads_map, AccessKind::load, ptx::Space::generic, kTensorMapAlignment, Type::b8);
    bulk->at_map = offset(operation.uses[next++]);
    for (std::uint32_t i = 0; i < form.dimensions; ++i) bulk->coordinates[i] = offset(operation.uses[next++]);
  }
  for (std::uint32_t i = 0; i < form.registers; ++i) bulk->registers[i] = offset(operation.uses[next++]);
  if (form.registers == 0 && (!is_tensor || form.to_global)) bulk->from = offset(operation.uses[next++]);
  if (form.registers == 0 && !is_tensor) bulk->bytes = offset(operation.uses[next++]);
  if (form.has_barrier()) {
    access.memory.order = MemoryOrder::release;
    bulk->barrier = describe(access, AccessKind::atomic, ptx::Space::shared, sizeof(std::uint64_t), Type::b64);
    bulk->at_barrier = offset(operation.uses[next++]);
  }
  if (form.multicast) bulk->mask = offset(operation.uses[next++]);
  op.data = bulk.get();
  op.run = select_bulk(operation.opcode);
  kernel_.bulk_copies.push_back(std::move(bulk));
}

}  // namespace cudalabs::vgpu::exec
