// Instructions on matrices that a warp holds together (PTX ISA: "Warp Level Matrix Multiply-Accumulate Instructions").
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/matrix_form.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;
using tensor::Element;
using tensor::Product;
using tensor::Shape;

namespace {

/// "m16n8k16"
std::optional<Shape> shape_called(std::string_view name) {
  Shape shape;
  const std::pair<char, std::uint32_t*> parts[] = {{'m', &shape.m}, {'n', &shape.n}, {'k', &shape.k}};
  for (const auto& [letter, number] : parts) {
    if (name.empty() || name[0] != letter) return std::nullopt;
    const auto read = std::from_chars(name.data() + 1, name.data() + name.size(), *number);
    if (read.ec != std::errc{}) return std::nullopt;
    name.remove_prefix(static_cast<std::size_t>(read.ptr - name.data()));
  }
  return name.empty() ? std::optional(shape) : std::nullopt;
}

bool is_byte(Element element) {
  return element == Element::s8 || element == Element::u8;
}

bool is_f16_or_f32(Element element) {
  return element == Element::f16 || element == Element::f32;
}

/// Whether there is an instruction that multiplies these.
bool have_types(const Product& p) {
  if (is_byte(p.a)) return is_byte(p.b) && p.c == Element::s32 && p.d == Element::s32;
  if (p.a != p.b || p.saturates) return false;
  switch (p.a) {
    case Element::f16:
      return is_f16_or_f32(p.c) && is_f16_or_f32(p.d);
    case Element::bf16:
    case Element::tf32:
      return p.c == Element::f32 && p.d == Element::f32;
    case Element::f64:
      return p.c == Element::f64 && p.d == Element::f64;
    default:
      return false;
  }
}

bool has_mma_shape(const Product& p) {
  const auto [m, n, k] = p.shape;
  if (p.a == Element::f64) return p.shape == Shape{8, 8, 4};
  if (is_byte(p.a) && p.shape == Shape{8, 8, 16}) return true;
  if (m != 16 || n != 8) return false;
  switch (p.a) {
    case Element::f16:
    case Element::bf16:
      return (k == 8 || k == 16) && p.c == p.d;
    case Element::tf32:
      return k == 4 || k == 8;
    default:
      return k == 16 || k == 32;
  }
}

bool has_wmma_shape(Element element, const Shape& shape) {
  if (element == Element::f64) return shape == Shape{8, 8, 4};
  if (element == Element::tf32) return shape == Shape{16, 16, 8};
  return shape == Shape{16, 16, 16} || shape == Shape{32, 8, 16} || shape == Shape{8, 32, 16};
}

bool has_wmma_sums(Element element, const Shape& shape) {
  if (element == Element::f64) return shape == Shape{8, 8, 4};
  if (element == Element::f32 && shape == Shape{16, 16, 8}) return true;
  return (is_f16_or_f32(element) || element == Element::s32) && has_wmma_shape(Element::f16, shape);
}

/// Shared memory, or an address that says itself where it leads.
bool is_of_block(ptx::Space space) {
  return space == ptx::Space::shared || space == ptx::Space::generic;
}

constexpr const char* kSpace = "this state space";
constexpr const char* kShape = "this shape with these types";
constexpr const char* kRegisters = "another number of registers than the matrix has";

}  // namespace

/// The modifiers that `meaning` understands, in their order, each as what it stands for.
template <class Meaning>
auto take_each(const ptx::Instruction& instruction, Suffixes& suffixes, Meaning meaning) {
  std::vector<typename std::invoke_result_t<Meaning, std::string_view>::value_type> all;
  for (const std::string& suffix : instruction.suffixes) {
    const auto known = meaning(suffix);
    if (!known) continue;
    all.push_back(*known);
    suffixes.take(suffix);
  }
  return all;
}

/// For each `row` or `col` whether it is the latter.
std::vector<bool> take_layouts(const ptx::Instruction& instruction, Suffixes& suffixes) {
  return take_each(instruction, suffixes, [](std::string_view name) {
    return name == "row" || name == "col" ? std::optional(name == "col") : std::nullopt;
  });
}

Shape Translator::take_shape(const ptx::Instruction& instruction, Suffixes& suffixes) const {
  const std::vector<Shape> shapes = take_each(instruction, suffixes, shape_called);
  require(shapes.size() == 1, "one shape");
  return shapes[0];
}

/// The registers of a fragment: "{%r1, %r2}", or a single one.
std::vector<const ptx::Operand*> Translator::fragment_registers(const ptx::Operand& operand,
                                                                const tensor::Fragment& fragment) const {
  std::vector<const ptx::Operand*> all;
  if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand.value)) {
    for (const ptx::Operand& element : vector->elements) all.push_back(&element);
  } else {
    all.push_back(&operand);
  }
  require(all.size() == fragment.registers(), kRegisters);
  return all;
}

void Translator::use_fragment(Operation& operation, const ptx::Operand& operand, const tensor::Fragment& fragment) {
  const Type type = fragment.register_bytes() == 8 ? Type::b64 : Type::b32;
  for (const ptx::Operand* reg : fragment_registers(operand, fragment)) {
    operation.uses.push_back(in_register(use(*reg, type), type));
  }
}

void Translator::define_fragment(Operation& operation, const ptx::Operand& operand, const tensor::Fragment& fragment) {
  const Type type = fragment.register_bytes() == 8 ? Type::b64 : Type::b32;
  for (const ptx::Operand* reg : fragment_registers(operand, fragment)) operation.defs.push_back(def(*reg, type));
}

/// All lanes of the warp come to it together.
void Translator::emit_matrix(Operation operation, MatrixForm form) {
  operation.flag = true;
  operation.uses.push_back(in_register(Value::of_bits(kAllLanes), Type::b32));
  operation.matrix = std::make_shared<const MatrixForm>(std::move(form));
  emit_ending_block(std::move(operation));
}

void Translator::matrix(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool wmma = instruction.code == ptx::Opcode::wmma;
  const bool loads = wmma && suffixes.take("load"), stores = wmma && suffixes.take("store");
  if (wmma && !loads && !stores) require(suffixes.take("mma"), "this form");
  require(suffixes.take("sync"), "a form without .sync");
  require(suffixes.take("aligned"), "a form without .aligned");
  open_guard();
  if (instruction.code == ptx::Opcode::ldmatrix) {
    access_matrix_rows(instruction, suffixes, false);
  } else if (instruction.code == ptx::Opcode::stmatrix) {
    access_matrix_rows(instruction, suffixes, true);
  } else if (instruction.code == ptx::Opcode::movmatrix) {
    transpose_matrix(instruction, suffixes);
  } else if (loads || stores) {
    access_matrix(instruction, suffixes, stores);
  } else {
    multiply_matrices(instruction, suffixes);
  }
  close_guard();
}

void Translator::multiply_matrices(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool wmma = instruction.code == ptx::Opcode::wmma;
  MatrixForm form;
  Product& product = form.product;
  product.shape = take_shape(instruction, suffixes);
  product.saturates = suffixes.take("satfinite");
  const std::vector<bool> by_columns = take_layouts(instruction, suffixes);
  require(by_columns.size() == 2, "two layouts");
  require(wmma || (!by_columns[0] && by_columns[1]), "layouts other than .row.col");
  const std::vector<Element> types = take_each(instruction, suffixes, tensor::element_called);
  // wmma names only the sums' types where the inputs are of f16.
  require(types.size() == 4 || (wmma && types.size() == 2), "other than four types");
  product.d = types.front();
  product.c = types.back();
  if (types.size() == 4) {
    product.a = types[1];
    product.b = types[2];
  }
  if (product.a == Element::f64) suffixes.take("rn");
  require(have_types(product), "these types");
  require(wmma ? has_wmma_shape(product.a, product.shape) : has_mma_shape(product), kShape);
  require(!wmma || product.a == product.b, "these types");
  const auto lies = wmma ? &tensor::wmma_fragment : &tensor::mma_fragment;
  form.a = lies(tensor::Operand::a, product.shape, product.a);
  form.b = lies(tensor::Operand::b, product.shape, product.b);
  form.c = lies(tensor::Operand::c, product.shape, product.c);
  form.d = lies(tensor::Operand::c, product.shape, product.d);
  expect_operands(instruction, 4, 4);
  Operation operation{.opcode = Opcode::matrix, .type = Type::b32};
  use_fragment(operation, operand(instruction, 1), form.a);
  use_fragment(operation, operand(instruction, 2), form.b);
  use_fragment(operation, operand(instruction, 3), form.c);
  define_fragment(operation, operand(instruction, 0), form.d);
  emit_matrix(std::move(operation), std::move(form));
}

void Translator::access_matrix(const ptx::Instruction& instruction, Suffixes& suffixes, bool stores) {
  Operation operation{.opcode = Opcode::matrix, .type = Type::b32};
  MatrixForm form;
  form.action = stores ? MatrixAction::store : MatrixAction::load;
  const auto which =
      suffixes.take_one<tensor::Operand>({{stores ? "d" : "a", stores ? tensor::Operand::c : tensor::Operand::a},
                                          {"b", tensor::Operand::b},
                                          {"c", tensor::Operand::c}});
  require(which.has_value() && (!stores || *which == tensor::Operand::c), "this matrix");
  const Shape shape = take_shape(instruction, suffixes);
  const std::vector<bool> by_columns = take_layouts(instruction, suffixes);
  require(by_columns.size() == 1, "one layout");
  form.by_columns = by_columns[0];
  const std::vector<Element> types = take_each(instruction, suffixes, tensor::element_called);
  require(types.size() == 1, "one type");
  require(*which == tensor::Operand::c ? has_wmma_sums(types[0], shape) : has_wmma_shape(types[0], shape), kShape);
  memory_suffixes(operation.memory, suffixes);
  require(operation.memory.space == ptx::Space::global || is_of_block(operation.memory.space), kSpace);
  form.d = tensor::wmma_fragment(*which, shape, types[0]);
  form.stride = form.by_columns ? form.d.rows : form.d.columns;
  expect_operands(instruction, 2, 3);
  const ptx::Operand& registers = operand(instruction, stores ? 1 : 0);
  if (stores) {
    use_fragment(operation, registers, form.d);
  } else {
    define_fragment(operation, registers, form.d);
  }
  operation.uses.push_back(address(operand(instruction, stores ? 0 : 1), operation.memory));
  if (instruction.operands.size() == 3) {
    form.stride = 0;
    operation.uses.push_back(in_register(use(operand(instruction, 2), Type::u32), Type::u32));
  }
  emit_matrix(std::move(operation), std::move(form));
}

void Translator::access_matrix_rows(const ptx::Instruction& instruction, Suffixes& suffixes, bool stores) {
  Operation operation{.opcode = Opcode::matrix, .type = Type::b32};
  MatrixForm form;
  form.action = stores ? MatrixAction::store_rows : MatrixAction::load_rows;
  require(suffixes.take("m8n8"), "this shape");
  const auto matrices = suffixes.take_one<std::uint32_t>({{"x1", 1u}, {"x2", 2u}, {"x4", 4u}});
  require(matrices.has_value(), "this number of matrices");
  form.matrices = *matrices;
  form.d = tensor::matrix_of_8x8(suffixes.take("trans"));
  memory_suffixes(operation.memory, suffixes);
  require(is_of_block(operation.memory.space) && operation.memory.lanes == 1, kSpace);
  require(take_type(suffixes) == Type::b16, "a type other than b16");
  expect_operands(instruction, 2, 2);
  const ptx::Operand& registers = operand(instruction, stores ? 1 : 0);
  const auto* vector = std::get_if<ptx::VectorOperand>(&registers.value);
  require((vector == nullptr ? 1 : vector->elements.size()) == form.matrices, kRegisters);
  for (std::size_t i = 0; i < form.matrices; ++i) {
    const ptx::Operand& reg = vector == nullptr ? registers : vector->elements[i];
    if (stores) {
      operation.uses.push_back(in_register(use(reg, Type::b32), Type::b32));
    } else {
      operation.defs.push_back(def(reg, Type::b32));
    }
  }
  operation.uses.push_back(address(operand(instruction, stores ? 0 : 1), operation.memory));
  emit_matrix(std::move(operation), std::move(form));
}

void Translator::transpose_matrix(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation{.opcode = Opcode::matrix, .type = Type::b32};
  MatrixForm form;
  form.action = MatrixAction::transpose;
  require(suffixes.take("m8n8") && suffixes.take("trans"), "this form");
  require(take_type(suffixes) == Type::b16, "a type other than b16");
  form.a = tensor::matrix_of_8x8(false);
  form.d = tensor::matrix_of_8x8(true);
  expect_operands(instruction, 2, 2);
  use_fragment(operation, operand(instruction, 1), form.a);
  define_fragment(operation, operand(instruction, 0), form.d);
  emit_matrix(std::move(operation), std::move(form));
}

}  // namespace cudalabs::vgpu::exec
