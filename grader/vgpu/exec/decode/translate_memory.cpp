// Moves, loads, stores, atomics, fences (PTX ISA: "Data Movement and Conversion Instructions", "atom", "red", "fence").
#include "vgpu/exec/atomic_operation.h"
#include "vgpu/exec/decode/translator.h"
#include "vgpu/memory/address_space.h"

namespace cudalabs::vgpu::exec {

using ir::kNoRegister;
using ir::MemoryFields;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

namespace {

// ".b8x2 of 4 bytes": the untyped type of a width.
Type bits_of_width(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return Type::b8;
    case 2:
      return Type::b16;
    case 8:
      return Type::b64;
    default:
      return Type::b32;
  }
}

}  // namespace

void Translator::mov(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const Type type = take_type(suffixes);
  expect_operands(instruction, 2, 2);
  const ptx::Operand& result = operand(instruction, 0);
  const ptx::Operand& source = operand(instruction, 1);
  if (const auto* pieces = std::get_if<ptx::VectorOperand>(&source.value)) {  // mov.b64 %rd, {%r1, %r2}
    const std::size_t count = pieces->elements.size();
    require(count == 2 || count == 4, "packing of this many pieces");
    const Type piece = bits_of_width(ptx::size_in_bytes(type) / static_cast<std::uint32_t>(count));
    Operation operation{.opcode = Opcode::pack, .type = type, .source_type = piece};
    for (const ptx::Operand& element : pieces->elements) {
      operation.uses.push_back(in_register(use(element, piece), piece));
    }
    operation.defs = {def(result, type)};
    append(std::move(operation));
    return;
  }
  if (const auto* pieces = std::get_if<ptx::VectorOperand>(&result.value)) {  // mov.b64 {%r1, %r2}, %rd
    const std::size_t count = pieces->elements.size();
    require(count == 2 || count == 4, "unpacking into this many pieces");
    const Type piece = bits_of_width(ptx::size_in_bytes(type) / static_cast<std::uint32_t>(count));
    Operation operation{.opcode = Opcode::unpack, .type = piece, .source_type = type};
    operation.uses = {in_register(use(source, type), type)};
    for (const ptx::Operand& element : pieces->elements) operation.defs.push_back(def(element, piece));
    append(std::move(operation));
    return;
  }
  if (type == Type::pred) {
    emit(Opcode::mov, type, {def(result, type)}, {use_predicate(source)});
    return;
  }
  if (const auto* symbol = std::get_if<ptx::SymbolRef>(&source.value)) {
    if (parameters_.contains(symbol->name)) return parameter_address(*symbol, operand(instruction, 0), type);
  }
  emit(Opcode::mov, type, {def(result, type)}, {use(source, type)});
}

void Translator::memory_suffixes(MemoryFields& memory, Suffixes& suffixes) const {
  using ptx::Space;
  memory.is_volatile = suffixes.take("volatile") || suffixes.take("mmio");
  const auto order = suffixes.take_one<MemoryOrder>({{"weak", MemoryOrder::weak},
                                                     {"relaxed", MemoryOrder::relaxed},
                                                     {"acquire", MemoryOrder::acquire},
                                                     {"release", MemoryOrder::release},
                                                     {"acq_rel", MemoryOrder::acq_rel}});
  memory.order = order.value_or(MemoryOrder::weak);
  memory.scope = suffixes
                     .take_one<MemoryScope>({{"cta", MemoryScope::block},
                                             {"cluster", MemoryScope::cluster},
                                             {"gpu", MemoryScope::device},
                                             {"sys", MemoryScope::system}})
                     .value_or(memory.is_volatile ? MemoryScope::system : MemoryScope::block);
  // The memory model treats volatile accesses as relaxed ones at system scope.
  if (memory.is_volatile) memory.order = MemoryOrder::relaxed;
  memory.of_cluster = suffixes.take("shared::cluster");
  if (memory.of_cluster || suffixes.take("shared::cta")) memory.space = Space::shared;
  for (const std::string_view part : {"param::entry", "param::func"}) {
    if (suffixes.take(part)) memory.space = Space::param;
  }
  memory.space = suffixes
                     .take_one<Space>({{"global", Space::global},
                                       {"shared", Space::shared},
                                       {"local", Space::local},
                                       {"const", Space::constant},
                                       {"param", Space::param}})
                     .value_or(memory.space);
  // Hints to caches change nothing that can be seen here.
  for (const std::string_view hint : {"nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt"}) suffixes.take(hint);
  suffixes.drop("L1::");
  suffixes.drop("L2::");
  suffixes.drop("level::");
  memory.lanes = suffixes.take("v2") ? 2 : suffixes.take("v4") ? 4 : suffixes.take("v8") ? 8 : 1;
}

Value Translator::address(const ptx::Operand& operand, MemoryFields& memory) {
  const auto* place = std::get_if<ptx::Address>(&operand.value);
  require(place != nullptr, "an address is needed");
  memory.offset = place->offset;
  if (const auto* reg = std::get_if<ptx::RegisterRef>(&place->base)) {
    const std::uint32_t index = register_base_[reg->index];
    const Type type = out_.registers[index].type;
    require(type != Type::pred && row_width(type) >= 4, "an address of this type");
    if (row_width(type) == 8) return Value::of_register(index);
    const std::uint32_t wide = temporary(Type::u64);
    emit(Opcode::cvt, Type::u64, {wide}, {Value::of_register(index)}).source_type = Type::u32;
    if (memory.space ==
        ptx::Space::constant) {  // constants lie where global memory does: the register holds the low half
      const std::uint32_t whole = temporary(Type::u64);
      emit(Opcode::add, Type::u64, {whole}, {Value::of_register(wide), Value::of_bits(kGlobalBase)});
      return Value::of_register(whole);
    }
    return Value::of_register(wide);
  }
  Value at = Value::of_bits(0);
  if (const auto* symbol = std::get_if<ptx::SymbolRef>(&place->base)) at = symbol_value(*symbol);
  return in_register(at, Type::u64);
}

void Translator::load(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation{.opcode = Opcode::load};
  memory_suffixes(operation.memory, suffixes);
  suffixes.take("unified");
  operation.type = take_type(suffixes);
  require(operation.type != Type::b128, "128-bit values");
  expect_operands(instruction, 2, 3);  // the third is a cache policy
  const std::uint32_t lanes = operation.memory.lanes;
  const ptx::Operand& result = operand(instruction, 0);
  std::vector<const ptx::Operand*> results;
  if (const auto* vector = std::get_if<ptx::VectorOperand>(&result.value)) {
    for (const ptx::Operand& element : vector->elements) results.push_back(&element);
  } else {
    results.push_back(&result);
  }
  require(results.size() == lanes, "as many registers as the vector has elements");
  require(lanes * ptx::size_in_bytes(operation.type) <= 16, "accesses of more than 16 bytes a thread");

  // A register may be wider than what is loaded; the value is extended as its type says.
  const auto result_register = [&](const ptx::Operand& element) {
    if (std::holds_alternative<ptx::Discard>(element.value)) return temporary(operation.type);
    const auto* reg = std::get_if<ptx::RegisterRef>(&element.value);
    require(reg != nullptr, "the result must be a register");
    const std::uint32_t index = register_of(element, reg->index);
    require(out_.registers[index].type != Type::pred &&
                row_width(out_.registers[index].type) >= std::min(row_width(operation.type), 8u),
            "a register that is too narrow");
    return index;
  };
  for (const ptx::Operand* element : results) operation.defs.push_back(result_register(*element));

  if (operation.memory.space == ptx::Space::param) return load_parameter(std::move(operation), operand(instruction, 1));
  // A GPU has at most 64 KiB of constants and computes their addresses in 32 bits, as it does those of shared memory.
  operation.memory.wraps = operation.memory.space == ptx::Space::constant && surroundings_.narrow_constants;
  operation.uses = {address(operand(instruction, 1), operation.memory)};
  append(std::move(operation));
}

// reg = the low bits of `source` that `type` has, extended as it says.
void Translator::extend_into(std::uint32_t reg, Value source, Type type) {
  const Type have = out_.registers[source.reg].type;
  const Type want = out_.registers[reg].type;
  const std::uint32_t bytes = ptx::size_in_bytes(type);
  if (bytes == row_width(want) && row_width(have) == row_width(want)) {
    emit(Opcode::mov, want, {reg}, {source});
    return;
  }
  const bool sign = type == Type::s8 || type == Type::s16 || type == Type::s32;
  static constexpr Type kUnsigned[] = {Type::none, Type::u8, Type::u16, Type::none, Type::u32};
  static constexpr Type kSigned[] = {Type::none, Type::s8, Type::s16, Type::none, Type::s32};
  const Type narrow = bytes == 8 ? Type::u64 : (sign ? kSigned[bytes] : kUnsigned[bytes]);
  if (row_width(have) > row_width(narrow)) {
    const std::uint32_t low = temporary(narrow);
    emit(Opcode::cvt, narrow, {low}, {source}).source_type =
        row_width(have) == 8 ? Type::u64 : (row_width(have) == 4 ? Type::u32 : Type::u16);
    source = Value::of_register(low);
  }
  const Type wide = row_width(want) == 8   ? (sign ? Type::s64 : Type::u64)
                    : row_width(want) == 4 ? (sign ? Type::s32 : Type::u32)
                                           : (sign ? Type::s16 : Type::u16);
  emit(Opcode::cvt, wide, {reg}, {source}).source_type = narrow;
}

void Translator::store(const ptx::Instruction& instruction, Suffixes& suffixes) {
  if (suffixes.take("async")) return store_async(instruction, suffixes, false);
  Operation operation{.opcode = Opcode::store};
  memory_suffixes(operation.memory, suffixes);
  operation.type = take_type(suffixes);
  require(operation.type != Type::b128, "128-bit values");
  expect_operands(instruction, 2, 3);
  const std::uint32_t lanes = operation.memory.lanes;
  std::vector<const ptx::Operand*> sources;
  if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand(instruction, 1).value)) {
    for (const ptx::Operand& element : vector->elements) sources.push_back(&element);
  } else {
    sources.push_back(&operand(instruction, 1));
  }
  require(sources.size() == lanes, "as many registers as the vector has elements");
  require(lanes * ptx::size_in_bytes(operation.type) <= 16, "accesses of more than 16 bytes a thread");
  for (const ptx::Operand* source : sources) {
    operation.uses.push_back(in_register(use(*source, operation.type), operation.type));
  }
  if (operation.memory.space == ptx::Space::param) {
    return store_parameter(std::move(operation), operand(instruction, 0));
  }
  operation.uses.insert(operation.uses.begin(), address(operand(instruction, 0), operation.memory));
  append(std::move(operation));
}

std::optional<AtomicOperation> Translator::take_reduction(Suffixes& suffixes) const {
  return suffixes.take_one<AtomicOperation>({{"add", AtomicOperation::add},
                                             {"min", AtomicOperation::min},
                                             {"max", AtomicOperation::max},
                                             {"and", AtomicOperation::bit_and},
                                             {"or", AtomicOperation::bit_or},
                                             {"xor", AtomicOperation::bit_xor},
                                             {"inc", AtomicOperation::increment},
                                             {"dec", AtomicOperation::decrement}});
}

void Translator::atomic(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool reduction = instruction.code == ptx::Opcode::red;
  if (reduction && suffixes.take("async")) return store_async(instruction, suffixes, true);
  Operation operation{.opcode = Opcode::atomic};
  memory_suffixes(operation.memory, suffixes);
  require(operation.memory.lanes == 1, "vectors");
  suffixes.take("noftz");
  auto op = take_reduction(suffixes);
  if (!op)
    op = suffixes.take_one<AtomicOperation>(
        {{"exch", AtomicOperation::exchange}, {"cas", AtomicOperation::compare_and_swap}});
  require(op.has_value(), "this operation");
  operation.type = take_type(suffixes);
  require(operation.type != Type::b128 && operation.type != Type::pred && ptx::size_in_bytes(operation.type) >= 2,
          "this type");
  operation.detail = static_cast<std::uint32_t>(*op);
  // Without an order they are relaxed, without a scope at device scope.
  if (operation.memory.order == MemoryOrder::weak) operation.memory.order = MemoryOrder::relaxed;
  bool scoped = false;
  for (const std::string& suffix : instruction.suffixes) scoped = scoped || suffix == "cta";
  if (!scoped && operation.memory.scope == MemoryScope::block) operation.memory.scope = MemoryScope::device;
  const std::size_t first = reduction ? 0 : 1;
  const std::size_t values = *op == AtomicOperation::compare_and_swap ? 2 : 1;
  expect_operands(instruction, first + 1 + values, first + 2 + values);
  operation.uses = {address(operand(instruction, first), operation.memory)};
  for (std::size_t i = 0; i < values; ++i) {
    operation.uses.push_back(in_register(use(operand(instruction, first + 1 + i), operation.type), operation.type));
  }
  operation.flag = !reduction && !std::holds_alternative<ptx::Discard>(operand(instruction, 0).value);
  if (operation.flag) operation.defs = {def(operand(instruction, 0), operation.type)};
  append(std::move(operation));
}

void Translator::cp(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool reduces = suffixes.take("reduce");
  require(suffixes.take("async"), "a copy that is not cp.async");
  if (suffixes.take("bulk")) return bulk(instruction, suffixes, reduces);
  require(!reduces, "a reduction that is not cp.reduce.async.bulk");
  if (suffixes.take("mbarrier")) return arrive_after_copies(instruction, suffixes);
  if (suffixes.take("commit_group")) {
    expect_operands(instruction, 0, 0);
    emit(Opcode::async_commit, Type::none, {}, {});
    return;
  }
  if (suffixes.take("wait_all")) {
    expect_operands(instruction, 0, 0);
    emit(Opcode::async_wait, Type::none, {}, {}).flag = true;
    return;
  }
  if (suffixes.take("wait_group")) {
    expect_operands(instruction, 1, 1);
    const auto* groups = std::get_if<ptx::IntegerImmediate>(&operand(instruction, 0).value);
    require(groups != nullptr, "the number of groups must be a constant");
    emit(Opcode::async_wait, Type::none, {}, {}).detail = static_cast<std::uint32_t>(groups->bits);
    return;
  }
  Operation operation{.opcode = Opcode::async_copy};
  suffixes.take("shared");
  suffixes.take("shared::cta");
  require(suffixes.take("global"), "a copy that is not from global to shared memory");
  suffixes.take("ca");
  suffixes.take("cg");
  suffixes.drop("L2::");
  expect_operands(instruction, 3, 5);
  const auto* bytes = std::get_if<ptx::IntegerImmediate>(&operand(instruction, 2).value);
  require(bytes != nullptr && (bytes->bits == 4 || bytes->bits == 8 || bytes->bits == 16), "this size");
  operation.detail = static_cast<std::uint32_t>(bytes->bits);
  MemoryFields to, from;
  const Value to_base = address(operand(instruction, 0), to);
  const Value from_base = address(operand(instruction, 1), from);
  const auto moved = [&](Value base, std::int64_t offset) {
    if (offset == 0) return base;
    const std::uint32_t sum = temporary(Type::u64);
    emit(Opcode::add, Type::u64, {sum}, {base, Value::of_bits(static_cast<std::uint64_t>(offset))});
    return Value::of_register(sum);
  };
  operation.uses = {moved(to_base, to.offset), moved(from_base, from.offset)};
  // The optional source size: fewer bytes are read, the rest becomes zero. A predicate there means "read nothing".
  if (instruction.operands.size() > 3) {
    const ptx::Operand& extra = operand(instruction, 3);
    if (type_of(extra) == Type::pred) {
      const std::uint32_t count = temporary(Type::u32);
      emit(Opcode::selp, Type::b32, {count}, {Value::of_bits(0), Value::of_bits(bytes->bits), use_predicate(extra)});
      operation.uses.push_back(Value::of_register(count));
    } else {
      operation.uses.push_back(in_register(use(extra, Type::u32), Type::u32));
    }
  } else {
    operation.uses.push_back(in_register(Value::of_bits(bytes->bits), Type::u32));
  }
  append(std::move(operation));
}

void Translator::fence(const ptx::Instruction& instruction, Suffixes& suffixes) {
  if (suffixes.take("proxy")) return proxy_fence(instruction, suffixes);
  expect_operands(instruction, 0, 0);
  if (suffixes.take("mbarrier_init")) {  // barriers are there for other blocks, too, as soon as they are initialised
    require(suffixes.take("release") && suffixes.take("cluster"), "this form of fence.mbarrier_init");
    emit(Opcode::fence, Type::none, {}, {}).detail = static_cast<std::uint32_t>(MemoryScope::cluster);
    return;
  }
  for (const std::string_view word : {"sc", "acq_rel", "acquire", "release"}) suffixes.take(word);
  suffixes.drop("sync_restrict::");  // less is ordered; here all of it is
  const auto scope = suffixes.take_one<MemoryScope>({{"cta", MemoryScope::block},
                                                     {"cluster", MemoryScope::cluster},
                                                     {"gl", MemoryScope::device},
                                                     {"gpu", MemoryScope::device},
                                                     {"sys", MemoryScope::system}});
  require(scope.has_value(), "no scope");
  emit(Opcode::fence, Type::none, {}, {}).detail = static_cast<std::uint32_t>(*scope);
}

/// Between the generic proxy and others. What the asynchronous one reads, observers want to know; there are no others.
void Translator::proxy_fence(const ptx::Instruction& instruction, Suffixes& suffixes) {
  if (suffixes.take("tensormap::generic")) {  // tensor maps are read as other memory is
    const bool acquires = suffixes.take("acquire");
    require(acquires || suffixes.take("release"), "this form");
    expect_operands(instruction, acquires ? 2 : 0, acquires ? 2 : 0);
    for (const std::string_view scope : {"cta", "cluster", "gpu", "sys"}) suffixes.take(scope);
    return;
  }
  expect_operands(instruction, 0, 0);
  if (suffixes.take("alias")) return;
  if (suffixes.take("async::generic")) {  // in one direction; restricted to what mbarriers and remote accesses order
    suffixes.drop("sync_restrict::");
    require((suffixes.take("acquire") || suffixes.take("release")) && suffixes.take("cluster"), "this form");
    emit(Opcode::proxy_fence, Type::none, {}, {});
    emit(Opcode::fence, Type::none, {}, {}).detail = static_cast<std::uint32_t>(MemoryScope::cluster);
    return;
  }
  bool known = false;
  for (const std::string_view word : {"async", "async.global", "async.shared::cta", "async.shared::cluster"})
    known = suffixes.take(word) || known;
  require(known, "this proxy");
  const bool only_global = suffixes.take("global");
  const bool shared = suffixes.take("shared::cta") || suffixes.take("shared::cluster");
  if (!only_global || shared) emit(Opcode::proxy_fence, Type::none, {}, {});
}

/// What it makes is a hint, for operands that nobody looks at.
void Translator::cache_policy(const ptx::Instruction& instruction, Suffixes& suffixes) {
  suffixes = Suffixes({});
  emit(Opcode::mov, Type::b64, {def(operand(instruction, 0), Type::b64)}, {Value::of_bits(0)});
}

// Prefetches and other hints: they change when, not what.
void Translator::no_operation(const ptx::Instruction&, Suffixes& suffixes) {
  suffixes = Suffixes({});
}

}  // namespace cudalabs::vgpu::exec
