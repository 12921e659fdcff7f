// Textures and surfaces by handle (PTX ISA: "Texture Instructions", "Surface Instructions").
#include <algorithm>
#include <array>

#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;

namespace {

constexpr const char* kUnsupportedGeometry = "textures of several samples";
constexpr std::uint32_t kLayeredCube = 3 | ir::kCube | ir::kLayered;  // a cube has three coordinates

std::optional<ir::Boundary> take_boundary(Suffixes& suffixes) {
  return suffixes.take_one<ir::Boundary>(
      {{"trap", ir::Boundary::trap}, {"clamp", ir::Boundary::clamp}, {"zero", ir::Boundary::zero}});
}

/// Of the table in the PTX ISA.
bool is_reduced_surface(AtomicOperation operation, Type type) {
  switch (operation) {
    case AtomicOperation::add:
      return type == Type::u32 || type == Type::s32 || type == Type::u64;
    case AtomicOperation::min:
    case AtomicOperation::max:
      return type == Type::u32 || type == Type::s32 || type == Type::u64 || type == Type::s64;
    case AtomicOperation::bit_and:
    case AtomicOperation::bit_or:
      return type == Type::b32;
    default:
      return false;
  }
}

/// Likewise. Whether the numbers have a sign is of the surface's format.
bool is_formatted_reduction(AtomicOperation operation, Type type) {
  switch (operation) {
    case AtomicOperation::min:
    case AtomicOperation::max:
      return type == Type::b32 || type == Type::b64;
    case AtomicOperation::add:
    case AtomicOperation::bit_and:
    case AtomicOperation::bit_or:
      return type == Type::b32;
    default:
      return false;
  }
}

/// An H200 does not launch a kernel that asks such a thing of a texture, nor a module that asks it of a surface.
bool take_refused_by_gpus(ptx::Opcode code, Suffixes& suffixes) {
  constexpr std::array<std::string_view, 8> kOfTextures{"channel_data_type", "channel_order",     "normalized_coords",
                                                        "array_size",        "num_mipmap_levels", "num_samples",
                                                        "filter_mode",       "addr_mode_0"};
  constexpr std::array<std::string_view, 4> kOfSurfaces{"channel_data_type", "channel_order", "array_size",
                                                        "memory_layout"};
  const auto take = [&](std::string_view asked) { return suffixes.take(asked); };
  return code == ptx::Opcode::txq ? std::ranges::any_of(kOfTextures, take) : std::ranges::any_of(kOfSurfaces, take);
}

}  // namespace

void Translator::image_handle(Operation& operation, const ptx::Operand& operand) {
  operation.uses.push_back(address(operand, operation.memory));
  require(operation.memory.offset == 0, "a handle with an offset");
}

/// The handle and the coordinates: "[%rd1, {%r1, %r2}]" is two operands. Where there are layers, the layer comes first.
/// What would have three coordinates has a fourth one, which means nothing.
void Translator::image_operands(Operation& operation, const ptx::Instruction& instruction, std::size_t address_at) {
  image_handle(operation, operand(instruction, address_at));
  const bool in_integers = (operation.detail & ir::kIntegerCoordinates) != 0;
  const Type type = in_integers ? Type::s32 : Type::f32;
  const ptx::Operand& coordinates = operand(instruction, address_at + 1);
  const auto* vector = std::get_if<ptx::VectorOperand>(&coordinates.value);
  const std::size_t dimensions = operation.detail & ir::kImageDimensions;
  const std::size_t layers = (operation.detail & ir::kLayered) != 0 ? 1 : 0;
  require(vector == nullptr ? layers + dimensions == 1 : vector->elements.size() >= layers + dimensions,
          "too few coordinates");
  if (layers != 0) operation.uses.push_back(in_register(use(vector->elements[0], Type::u32), Type::u32));
  for (std::size_t i = 0; i < dimensions; ++i) {
    const ptx::Operand& coordinate = vector == nullptr ? coordinates : vector->elements[layers + i];
    operation.uses.push_back(in_register(use(coordinate, type), type));
  }
}

void Translator::texture(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation{.opcode = Opcode::texture};
  if (instruction.code == ptx::Opcode::tld4) {
    const auto component = suffixes.take_one<std::uint32_t>({{"r", 0u}, {"g", 1u}, {"b", 2u}, {"a", 3u}});
    require(component.has_value(), "this component");
    operation.detail = (*component + 1) << ir::kGatherShift;
  }
  // Without mipmaps the level and the gradients change nothing.
  const bool level = suffixes.take("level"), gradients = suffixes.take("grad");
  suffixes.take("base");
  const auto geometry = suffixes.take_one<std::uint32_t>({{"1d", 1u},
                                                          {"2d", 2u},
                                                          {"3d", 3u},
                                                          {"a1d", 1u | ir::kLayered},
                                                          {"a2d", 2u | ir::kLayered},
                                                          {"cube", 3u | ir::kCube},
                                                          {"acube", kLayeredCube}});
  require(geometry.has_value(), kUnsupportedGeometry);
  operation.detail |= *geometry;
  require(suffixes.take("v4"), "a result that is not of four elements");
  operation.type = take_type(suffixes);
  const Type coordinates = take_type(suffixes);
  require(operation.type == Type::f32 || operation.type == Type::s32 || operation.type == Type::u32, "this type");
  require(coordinates == Type::f32 || (coordinates == Type::s32 && *geometry == 1), "coordinates of this type");
  if (coordinates == Type::s32) operation.detail |= ir::kIntegerCoordinates;
  const std::size_t operands = 3u + (level ? 1 : 0) + (gradients ? 2 : 0);
  expect_operands(instruction, operands, operands);
  operation.memory.lanes = 4;
  const auto* results = std::get_if<ptx::VectorOperand>(&operand(instruction, 0).value);
  require(results != nullptr && results->elements.size() == 4, "a result that is not of four elements");
  for (const ptx::Operand& element : results->elements) {
    operation.defs.push_back(std::holds_alternative<ptx::Discard>(element.value) ? temporary(operation.type)
                                                                                 : def(element, operation.type));
  }
  image_operands(operation, instruction, 1);
  append(std::move(operation));
}

void Translator::surface(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool storing = instruction.code == ptx::Opcode::sust;
  Operation operation{.opcode = storing ? Opcode::surface_store : Opcode::surface_load};
  require(suffixes.take("b"), "formatted stores");
  const auto geometry = suffixes.take_one<std::uint32_t>(
      {{"1d", 1u}, {"2d", 2u}, {"3d", 3u}, {"a1d", 1u | ir::kLayered}, {"a2d", 2u | ir::kLayered}});
  require(geometry.has_value(), kUnsupportedGeometry);
  for (const std::string_view hint : {"ca", "cg", "cs", "cv", "wb", "wt"}) suffixes.take(hint);
  operation.memory.lanes = suffixes.take("v2") ? 2 : suffixes.take("v4") ? 4 : 1;
  operation.type = take_type(suffixes);
  require(operation.type == Type::b8 || operation.type == Type::b16 || operation.type == Type::b32 ||
              operation.type == Type::b64,
          "this type");
  require(operation.memory.lanes * ptx::size_in_bytes(operation.type) <= 16, "more than 16 bytes a thread");
  const auto boundary = take_boundary(suffixes);
  operation.detail = *geometry | ir::kIntegerCoordinates |
                     static_cast<std::uint32_t>(boundary.value_or(ir::Boundary::trap)) << ir::kBoundaryShift;
  expect_operands(instruction, 3, 3);
  image_operands(operation, instruction, storing ? 0 : 1);
  const ptx::Operand& values = operand(instruction, storing ? 2 : 0);
  const auto* vector = std::get_if<ptx::VectorOperand>(&values.value);
  require((vector == nullptr ? 1 : vector->elements.size()) == operation.memory.lanes,
          "as many registers as the vector has elements");
  for (std::size_t i = 0; i < operation.memory.lanes; ++i) {
    const ptx::Operand& value = vector == nullptr ? values : vector->elements[i];
    if (storing) {
      operation.uses.push_back(in_register(use(value, operation.type), operation.type));
      continue;
    }
    const auto* reg = std::get_if<ptx::RegisterRef>(&value.value);
    require(reg != nullptr, "the result must be a register");
    operation.defs.push_back(register_of(value, reg->index));
  }
  append(std::move(operation));
}

/// "[surface, coordinates], value". In x bytes, or what a formatted reduction counts: values of its own size, whatever
/// the surface's elements are, as an H200 has it.
void Translator::reduce_surface(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation{.opcode = Opcode::surface_reduce};
  const bool formatted = suffixes.take("p");
  require(formatted || suffixes.take("b"), "a reduction that is neither formatted nor not");
  const auto reduction = take_reduction(suffixes);
  require(reduction.has_value(), "this operation");
  const auto geometry = suffixes.take_one<std::uint32_t>({{"1d", 1u}, {"2d", 2u}, {"3d", 3u}});
  require(geometry.has_value(), "surfaces of layers");
  operation.type = take_type(suffixes);
  require(
      formatted ? is_formatted_reduction(*reduction, operation.type) : is_reduced_surface(*reduction, operation.type),
      "this type");
  const auto boundary = take_boundary(suffixes);
  require(boundary.has_value(), "a reduction that does not say what to do outside");
  operation.memory.order = MemoryOrder::relaxed;
  operation.memory.scope = MemoryScope::device;
  operation.detail = *geometry | ir::kIntegerCoordinates | static_cast<std::uint32_t>(*boundary) << ir::kBoundaryShift |
                     (formatted ? ir::kFormatted : 0) | static_cast<std::uint32_t>(*reduction) << ir::kReductionShift;
  expect_operands(instruction, 3, 3);
  image_operands(operation, instruction, 0);
  operation.uses.push_back(in_register(use(operand(instruction, 2), operation.type), operation.type));
  append(std::move(operation));
}

/// "d, [handle]": how large a texture or surface is.
void Translator::query_image(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation{.opcode = Opcode::image_query};
  operation.detail = instruction.code == ptx::Opcode::suq ? ir::kOfSurface : 0;
  if (suffixes.take("level")) refuse("questions about one level of a texture", ptx::Defect::textures);
  const auto axis = suffixes.take_one<std::uint32_t>({{"width", 0u}, {"height", 1u}, {"depth", 2u}});
  if (!axis) {
    refuse(take_refused_by_gpus(instruction.code, suffixes)
               ? "a GPU refuses this question about a texture or surface as well: an H200 launches no kernel with it"
               : "of textures and surfaces only width, height and depth can be asked for",
           ptx::Defect::textures);
  }
  require(suffixes.take("b32"), "this type");
  operation.type = Type::b32;
  operation.detail |= *axis << ir::kAskedShift;
  expect_operands(instruction, 2, 2);
  operation.defs.push_back(def(operand(instruction, 0), operation.type));
  image_handle(operation, operand(instruction, 1));
  append(std::move(operation));
}

}  // namespace cudalabs::vgpu::exec
