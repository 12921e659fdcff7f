// One way to spell an instruction (or one mathematical function of libdevice), and in which registers it comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vgpu/ptx/module.h"

namespace cudalabs::conformance {

/// An operand or a result: what its bits mean, and the register that holds it, which may be wider than its type.
struct Slot {
  vgpu::ptx::Type type = vgpu::ptx::Type::none;
  std::uint32_t bits = 0;  // of the register: 1 (a predicate), 16, 32 or 64
};

enum class Shape : std::uint8_t {
  plain,
  predicate_pair,  // the result is "p|q"
  global_atomic,   // the first operand is what memory holds before; results are what `atom` returns and what it left
  shared_atomic,
  global_reduction,  // the same without a returned value
  shared_reduction,
  function  // of libdevice: `text` is its name
};

struct InstructionForm {
  std::string text;  // opcode and suffixes: "add.rn.f32"
  Shape shape = Shape::plain;
  Slot result{};  // bits 0: a function without one
  std::vector<Slot> operands{};
  std::vector<Slot> stores{};  // what a function delivers through pointers, its last arguments
  bool carry_in = false, carry_out = false;
  bool counts = false;  // the first operand is how often a function does something: small numbers only
  bool table = false;   // a last operand of eight bits that stands in the text: all of them are tried
  /// How result and operands are written, where that is more than their names: "%x.b0, %a0.h1, -%a1, %a2".
  std::string written{};

  /// Unique: the text, then a letter for each register, the result first, "cvt.u8.u32 rr"; or what is written.
  std::string key() const;
  /// The functions and instructions whose results PTX leaves open within bounds.
  bool approximate() const;
};

/// The register class: 'p', 'h', 'r', 'd' for 1, 16, 32 and 64 bits, 'f' and 'e' for f32 and f64.
char register_letter(const Slot& slot);
/// "b16", "f32", "pred": how such a register is declared.
std::string register_type(const Slot& slot);

}  // namespace cudalabs::conformance
