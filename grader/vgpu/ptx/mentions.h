// What an operand mentions.
#pragma once

#include <variant>

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {

/// Calls `on_register` and `on_name` with what the operand mentions, elements of vectors, lists and addresses too.
template <class OnRegister, class OnName>
void for_each_mention(const Operand& operand, const OnRegister& on_register, const OnName& on_name) {
  if (const auto* reg = std::get_if<RegisterRef>(&operand.value)) on_register(reg->index);
  if (const auto* symbol = std::get_if<SymbolRef>(&operand.value)) on_name(symbol->name);
  if (const auto* address = std::get_if<Address>(&operand.value)) {
    if (const auto* reg = std::get_if<RegisterRef>(&address->base)) on_register(reg->index);
    if (const auto* symbol = std::get_if<SymbolRef>(&address->base)) on_name(symbol->name);
  }
  if (const auto* pair = std::get_if<PredicatePair>(&operand.value)) {
    on_register(pair->first);
    if (pair->second) on_register(*pair->second);
  }
  if (const auto* vector = std::get_if<VectorOperand>(&operand.value)) {
    for (const Operand& element : vector->elements) for_each_mention(element, on_register, on_name);
  }
  if (const auto* list = std::get_if<ListOperand>(&operand.value)) {
    for (const Operand& element : list->elements) for_each_mention(element, on_register, on_name);
  }
}

}  // namespace cudalabs::vgpu::ptx
