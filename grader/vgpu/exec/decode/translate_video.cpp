// Video instructions (PTX ISA: "Scalar Video Instructions", "SIMD Video Instructions").
#include <algorithm>
#include <bit>
#include <optional>
#include <string_view>
#include <utility>

#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/handlers/lane_form.h"
#include "vgpu/exec/video_form.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;
using Second = VideoSecond;

namespace {

struct NamedVideo {
  ptx::Opcode opcode;
  VideoOperation operation;
  std::uint32_t parts;
};

constexpr NamedVideo kVideo[] = {{ptx::Opcode::vabsdiff, VideoOperation::difference, 1},
                                 {ptx::Opcode::vabsdiff2, VideoOperation::difference, 2},
                                 {ptx::Opcode::vabsdiff4, VideoOperation::difference, 4},
                                 {ptx::Opcode::vadd, VideoOperation::add, 1},
                                 {ptx::Opcode::vadd2, VideoOperation::add, 2},
                                 {ptx::Opcode::vadd4, VideoOperation::add, 4},
                                 {ptx::Opcode::vavrg2, VideoOperation::average, 2},
                                 {ptx::Opcode::vavrg4, VideoOperation::average, 4},
                                 {ptx::Opcode::vmad, VideoOperation::mad, 1},
                                 {ptx::Opcode::vmax, VideoOperation::max, 1},
                                 {ptx::Opcode::vmax2, VideoOperation::max, 2},
                                 {ptx::Opcode::vmax4, VideoOperation::max, 4},
                                 {ptx::Opcode::vmin, VideoOperation::min, 1},
                                 {ptx::Opcode::vmin2, VideoOperation::min, 2},
                                 {ptx::Opcode::vmin4, VideoOperation::min, 4},
                                 {ptx::Opcode::vset, VideoOperation::set, 1},
                                 {ptx::Opcode::vset2, VideoOperation::set, 2},
                                 {ptx::Opcode::vset4, VideoOperation::set, 4},
                                 {ptx::Opcode::vshl, VideoOperation::shl, 1},
                                 {ptx::Opcode::vshr, VideoOperation::shr, 1},
                                 {ptx::Opcode::vsub, VideoOperation::sub, 1},
                                 {ptx::Opcode::vsub2, VideoOperation::sub, 2},
                                 {ptx::Opcode::vsub4, VideoOperation::sub, 4}};

/// A byte, a half word or all of a word; nothing where the selector names several, or one that there is not.
std::optional<VideoPart> part_of(const ptx::PartSelector& selector) {
  if (selector.count == 0) return VideoPart::whole;
  const std::uint32_t number = selector.parts[0];
  if (selector.count > 1 || number >= (selector.half_words ? 2 : 4)) return std::nullopt;
  return static_cast<VideoPart>(number +
                                static_cast<std::uint32_t>(selector.half_words ? VideoPart::h0 : VideoPart::b0));
}

/// The parts of a result that a selector names, from the last to the first one; nothing for any other.
std::optional<std::uint32_t> mask_of(const ptx::PartSelector& selector, std::uint32_t parts) {
  if (selector.count == 0) return (1u << parts) - 1;
  if (selector.half_words != (parts == 2)) return std::nullopt;
  std::uint32_t mask = 0, before = parts;
  for (std::uint32_t i = 0; i < selector.count; ++i) {
    if (selector.parts[i] >= before) return std::nullopt;
    before = selector.parts[i];
    mask |= 1u << before;
  }
  return mask;
}

constexpr const char* kPart = "such a part of an operand";

}  // namespace

void Translator::video(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const auto* const named = std::ranges::find(kVideo, instruction.code, &NamedVideo::opcode);
  require(named != std::end(kVideo), "this video instruction");
  const auto take_sign = [&] {
    const Type type = take_type(suffixes);
    require(type == Type::s32 || type == Type::u32, "a type other than u32 and s32");
    return std::uint32_t{type == Type::s32};
  };
  VideoForm form{.operation = named->operation};
  const bool compares = named->operation == VideoOperation::set;
  if (!compares) form.signed_result = take_sign();
  form.signed_a = take_sign();
  form.signed_b = take_sign();
  if (compares) {
    const auto compare = suffixes.take_one<VideoCompare>({{"eq", VideoCompare::eq},
                                                          {"ne", VideoCompare::ne},
                                                          {"lt", VideoCompare::lt},
                                                          {"le", VideoCompare::le},
                                                          {"gt", VideoCompare::gt},
                                                          {"ge", VideoCompare::ge}});
    if (!compare) refuse("no comparison");
    form.compare = *compare;
  } else {
    form.saturates = suffixes.take("sat") ? 1 : 0;
  }
  if (named->operation == VideoOperation::mad) return video_multiply(instruction, suffixes, form);
  if (named->parts > 1) return video_of_several(instruction, suffixes, form, named->parts);
  return video_of_one(instruction, suffixes, form);
}

/// The word that the operand's parts are taken from.
Value Translator::video_operand(const ptx::Operand& operand, bool negatable) {
  ptx::Operand word = operand;
  word.selector = {};
  if (negatable) word.negated = false;
  return in_register(use(word, Type::b32), Type::b32);
}

void Translator::emit_video(const ptx::Operand& result, VideoForm form, std::uint32_t parts, std::vector<Value> uses) {
  Operation operation{.opcode = Opcode::lane_function, .type = Type::b32};
  operation.detail = std::bit_cast<std::uint32_t>(form);
  operation.handler = video_handler(form.operation, parts);
  operation.uses = std::move(uses);
  operation.defs = {def(result, Type::b32)};
  append(std::move(operation));
}

void Translator::video_of_one(const ptx::Instruction& instruction, Suffixes& suffixes, VideoForm form) {
  if (form.operation == VideoOperation::shl || form.operation == VideoOperation::shr) {
    require(form.signed_b == 0, "a shift by a number with a sign");
    form.wraps = suffixes.take("wrap") ? 1 : 0;
    require(form.wraps != 0 || suffixes.take("clamp"), "a shift without .clamp or .wrap");
  }
  form.second = suffixes.take_one<Second>({{"add", Second::add}, {"min", Second::min}, {"max", Second::max}})
                    .value_or(Second::none);
  const auto part = [&](std::size_t index) {
    const std::optional<VideoPart> chosen = part_of(operand(instruction, index).selector);
    require(chosen.has_value(), kPart);
    return *chosen;
  };
  form.d = part(0);
  form.a = part(1);
  form.b = part(2);
  if (form.d != VideoPart::whole) {
    require(form.second == Second::none, "a part of the result with a second operation");
    form.second = Second::merge;
  }
  // What vset compares has one sign; the result has none, but the third operand is taken as the first is.
  if (form.operation == VideoOperation::set) form.signed_result = form.signed_a;
  const std::size_t count = form.second == Second::none ? 3 : 4;
  expect_operands(instruction, count, count);
  std::vector<Value> uses{video_operand(operand(instruction, 1), false), video_operand(operand(instruction, 2), false)};
  if (count == 4) {
    require(operand(instruction, 3).selector.count == 0, kPart);
    uses.push_back(video_operand(operand(instruction, 3), false));
  } else {
    uses.push_back(uses[0]);
  }
  emit_video(operand(instruction, 0), form, 1, std::move(uses));
}

void Translator::video_multiply(const ptx::Instruction& instruction, Suffixes& suffixes, VideoForm form) {
  expect_operands(instruction, 4, 4);
  form.shift = suffixes.take("shr7") ? 7 : suffixes.take("shr15") ? 15 : 0;
  form.adds_one = suffixes.take("po") ? 1 : 0;
  const std::optional<VideoPart> a = part_of(operand(instruction, 1).selector);
  const std::optional<VideoPart> b = part_of(operand(instruction, 2).selector);
  require(a && b && operand(instruction, 0).selector.count == 0 && operand(instruction, 3).selector.count == 0, kPart);
  form.a = *a;
  form.b = *b;
  const auto negated = [&](std::size_t index) { return operand(instruction, index).negated; };
  form.negates_product = negated(1) != negated(2) ? 1 : 0;
  form.negates_addend = negated(3) ? 1 : 0;
  require(form.negates_product + form.negates_addend + form.adds_one <= 1 &&
              (form.adds_one == 0 || (!negated(1) && !negated(2))),
          "more than one of a negative product, a negative sum and .po");
  std::vector<Value> uses;
  for (std::size_t i = 1; i < 4; ++i) uses.push_back(video_operand(operand(instruction, i), true));
  emit_video(operand(instruction, 0), form, 1, std::move(uses));
}

/// The bytes or half words that the selector names of both operands; without one all of the first or the second.
Value Translator::chosen_parts(const ptx::PartSelector& selector, std::uint32_t parts, bool second, Value a, Value b) {
  if (selector.count == 0) return second ? b : a;
  require(selector.count == parts && selector.half_words == (parts == 2), kPart);
  std::uint32_t bytes = 0;
  for (std::uint32_t i = 0; i < parts; ++i) {
    const std::uint32_t from = selector.parts[i];
    require(from < 2 * parts, kPart);
    bytes = parts == 2 ? bytes << 8 | (2 * from + 1) << 4 | 2 * from : bytes << 4 | from;
  }
  static const LaneForm* const kPermute = lane_forms_by_name().at("prmt.b32");
  Operation operation{.opcode = Opcode::lane_function, .type = kPermute->result};
  operation.form = kPermute;
  operation.handler = kPermute->handler;
  operation.uses = {a, b, Value::of_bits(bytes)};
  const std::uint32_t chosen = temporary(kPermute->result);
  operation.defs = {chosen};
  append(std::move(operation));
  return Value::of_register(chosen);
}

void Translator::video_of_several(const ptx::Instruction& instruction, Suffixes& suffixes, VideoForm form,
                                  std::uint32_t parts) {
  expect_operands(instruction, 4, 4);
  if (suffixes.take("add")) {
    require(form.saturates == 0, ".sat with .add");
    form.second = Second::add;
  }
  const std::optional<std::uint32_t> mask = mask_of(operand(instruction, 0).selector, parts);
  require(mask && operand(instruction, 3).selector.count == 0, kPart);
  set_video_mask(form, *mask);
  const Value a = video_operand(operand(instruction, 1), false), b = video_operand(operand(instruction, 2), false);
  const Value first = chosen_parts(operand(instruction, 1).selector, parts, false, a, b);
  const Value other = chosen_parts(operand(instruction, 2).selector, parts, true, a, b);
  emit_video(operand(instruction, 0), form, parts, {first, other, video_operand(operand(instruction, 3), false)});
}

}  // namespace cudalabs::vgpu::exec
