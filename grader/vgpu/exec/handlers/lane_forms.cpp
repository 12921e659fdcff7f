// All forms, found by how they are spelled.
#include <stdexcept>
#include <string>

#include "vgpu/exec/handlers/bit_forms.h"
#include "vgpu/exec/handlers/byte_float_forms.h"
#include "vgpu/exec/handlers/integer_forms.h"
#include "vgpu/exec/handlers/lane_form.h"
#include "vgpu/exec/handlers/real_forms.h"

namespace cudalabs::vgpu::exec {

namespace {

constexpr auto kForms = lane_forms::list(lane_forms::kIntegerForms, lane_forms::kBitForms, lane_forms::kRealForms,
                                         lane_forms::kByteFloatForms);

constexpr std::array<bool, static_cast<std::size_t>(ptx::Opcode::unknown) + 1> opcodes_with_forms() {
  std::array<bool, static_cast<std::size_t>(ptx::Opcode::unknown) + 1> has{};
  for (const LaneForm& form : kForms) has[static_cast<std::size_t>(form.opcode)] = true;
  return has;
}
constexpr auto kHasForms = opcodes_with_forms();

// An instruction of which nothing but its row is written does not compile, nor one whose row says otherwise.
constexpr bool rows_and_forms_agree() {
  for (const ptx::InstructionFacts& facts : ptx::rows::kAll) {
    const bool has = kHasForms[static_cast<std::size_t>(facts.opcode)];
    if (facts.family == ptx::Family::lanes && !has) return false;
    if (!facts.is_executed() && has) return false;
  }
  return true;
}
static_assert(rows_and_forms_agree());

std::string spelled(const LaneForm& form) {
  std::string text;
  for (const char letter : form.pattern) {
    if (letter == '*') {
      text += ptx::name_of(form.type);
    } else if (letter == '#') {
      text += std::to_string(8 * ptx::size_in_bytes(form.type));
    } else {
      text += letter;
    }
  }
  return text;
}

}  // namespace

const std::map<std::string, const LaneForm*, std::less<>>& lane_forms_by_name() {
  static const auto kByName = [] {
    std::map<std::string, const LaneForm*, std::less<>> forms;
    for (const LaneForm& form : kForms) {
      if (!forms.emplace(spelled(form), &form).second) throw std::logic_error(spelled(form) + " is spelled twice");
    }
    return forms;
  }();
  return kByName;
}

const LaneForm* find_lane_form(const ptx::Instruction& instruction) {
  if (!kHasForms[static_cast<std::size_t>(instruction.code)]) return nullptr;
  std::string text = instruction.opcode;
  for (const std::string& suffix : instruction.suffixes) text.append(".").append(suffix);
  const auto found = lane_forms_by_name().find(text);
  return found == lane_forms_by_name().end() ? nullptr : found->second;
}

}  // namespace cudalabs::vgpu::exec
