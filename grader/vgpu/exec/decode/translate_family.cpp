// Which method translates which instructions.
#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/handlers/lane_form.h"

namespace cudalabs::vgpu::exec {

void Translator::translate_lanes(const LaneForm& form, const ptx::Instruction& instruction) {
  ir::Operation operation{.opcode = ir::Opcode::lane_function, .type = form.result};
  operation.form = &form;
  operation.handler = form.handler;
  std::size_t next = 1;
  for (std::size_t i = 0; i < form.count; ++i) {
    const LaneForm::Operand& source = form.operands[i];
    if (source.type == ir::Type::pred) {
      operation.uses.push_back(ir::Value::of_register(carry()));
      continue;
    }
    const ptx::Operand& text = operand(instruction, next++);
    if (source.in_text) {
      const auto* number = std::get_if<ptx::IntegerImmediate>(&text.value);
      require(number != nullptr && number->bits < 256, "the last operand must be a number below 256");
    }
    operation.uses.push_back(use(text, source.type));
  }
  expect_operands(instruction, next, next);
  operation.defs = {def(operand(instruction, 0), form.result)};
  if (form.carries_out) operation.defs.push_back(carry());
  append(std::move(operation));
}

// The carry flag CC.CF is a predicate of the thread like any other.
std::uint32_t Translator::carry() {
  if (carry_ == ir::kNoRegister) carry_ = temporary(ir::Type::pred);
  return carry_;
}

void Translator::translate_as(ptx::Family family, const ptx::Instruction& instruction, Suffixes& suffixes) {
  using ptx::Family;
  switch (family) {
    case Family::refused:
      refuse("the virtual GPU does not execute this instruction");
    case Family::abs_or_neg:
      return abs_or_neg(instruction, suffixes);
    case Family::active_mask:
      return active_mask(instruction, suffixes);
    case Family::add_or_sub:
      return add_or_sub(instruction, suffixes);
    case Family::atomic:
      return atomic(instruction, suffixes);
    case Family::barrier:
      return barrier(instruction, suffixes);
    case Family::bra:
      return bra(instruction, suffixes);
    case Family::brx:
      return brx(instruction, suffixes);
    case Family::cache_policy:
      return cache_policy(instruction, suffixes);
    case Family::call:
      return call(instruction, suffixes);
    case Family::copy:
      return cp(instruction, suffixes);
    case Family::copysign:
      return copysign(instruction, suffixes);
    case Family::cvt:
      return cvt(instruction, suffixes);
    case Family::cvta:
      return cvta(instruction, suffixes);
    case Family::div:
      return float_div(instruction, suffixes);
    case Family::elect:
      return elect(instruction, suffixes);
    case Family::exit:
      return exit(instruction, suffixes);
    case Family::fence:
      return fence(instruction, suffixes);
    case Family::float_unary:
      return float_unary(instruction, suffixes);
    case Family::fma:
      return fma(instruction, suffixes);
    case Family::getctarank:
      return getctarank(instruction, suffixes);
    case Family::mapa:
      return mapa(instruction, suffixes);
    case Family::image_query:
      return query_image(instruction, suffixes);
    case Family::isspacep:
      return isspacep(instruction, suffixes);
    case Family::lanes:
      refuse("the virtual GPU does not execute this form of the instruction");
    case Family::load:
      return load(instruction, suffixes);
    case Family::logic:
      return logic(instruction, suffixes);
    case Family::mad:
      return mad(instruction, suffixes);
    case Family::match:
      return match(instruction, suffixes);
    case Family::mbarrier:
      return mbarrier(instruction, suffixes);
    case Family::matrix:
      return matrix(instruction, suffixes);
    case Family::min_or_max:
      return min_or_max(instruction, suffixes);
    case Family::mov:
      return mov(instruction, suffixes);
    case Family::mul:
      return mul(instruction, suffixes);
    case Family::nanosleep:
      return nanosleep(instruction, suffixes);
    case Family::no_operation:
      return no_operation(instruction, suffixes);
    case Family::redux:
      return redux(instruction, suffixes);
    case Family::ret:
      return ret(instruction, suffixes);
    case Family::selp:
      return selp(instruction, suffixes);
    case Family::set:
      return set(instruction, suffixes);
    case Family::setp:
      return setp(instruction, suffixes);
    case Family::shift:
      return shift(instruction, suffixes);
    case Family::shuffle:
      return shfl(instruction, suffixes);
    case Family::slct:
      return slct(instruction, suffixes);
    case Family::stack:
      return stack(instruction, suffixes);
    case Family::store:
      return store(instruction, suffixes);
    case Family::surface_load:
    case Family::surface_store:
      return surface(instruction, suffixes);
    case Family::surface_reduction:
      return reduce_surface(instruction, suffixes);
    case Family::texture:
      return texture(instruction, suffixes);
    case Family::trap:
      return trap(instruction, suffixes);
    case Family::video:
      return video(instruction, suffixes);
    case Family::vote:
      return vote(instruction, suffixes);
  }
}

}  // namespace cudalabs::vgpu::exec
