// Which method translates which instructions.
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

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
    case Family::bit_field:
      return bit_field(instruction, suffixes);
    case Family::bra:
      return bra(instruction, suffixes);
    case Family::brx:
      return brx(instruction, suffixes);
    case Family::call:
      return call(instruction, suffixes);
    case Family::carry:
      return add_or_sub_carry(instruction, suffixes);
    case Family::copy:
      return cp(instruction, suffixes);
    case Family::copysign:
      return copysign(instruction, suffixes);
    case Family::count_bits:
      return count_bits(instruction, suffixes);
    case Family::cvt:
      return cvt(instruction, suffixes);
    case Family::cvta:
      return cvta(instruction, suffixes);
    case Family::div_or_rem:
      return div_or_rem(instruction, suffixes);
    case Family::dot_product:
      return dot_product(instruction, suffixes);
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
    case Family::funnel_shift:
      return funnel_shift(instruction, suffixes);
    case Family::isspacep:
      return isspacep(instruction, suffixes);
    case Family::load:
      return load(instruction, suffixes);
    case Family::logic:
      return logic(instruction, suffixes);
    case Family::lop3:
      return lop3(instruction, suffixes);
    case Family::mad:
      return mad(instruction, suffixes);
    case Family::mad_carry:
      return mad_carry(instruction, suffixes);
    case Family::match:
      return match(instruction, suffixes);
    case Family::min_or_max:
      return min_or_max(instruction, suffixes);
    case Family::mov:
      return mov(instruction, suffixes);
    case Family::mul:
      return mul(instruction, suffixes);
    case Family::mul24:
      return mul24(instruction, suffixes);
    case Family::nanosleep:
      return nanosleep(instruction, suffixes);
    case Family::no_operation:
      return no_operation(instruction, suffixes);
    case Family::packed_absolute_difference:
      return packed_absolute_difference(instruction, suffixes);
    case Family::prmt:
      return prmt(instruction, suffixes);
    case Family::redux:
      return redux(instruction, suffixes);
    case Family::ret:
      return ret(instruction, suffixes);
    case Family::sad:
      return sad(instruction, suffixes);
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
    case Family::store:
      return store(instruction, suffixes);
    case Family::testp:
      return testp(instruction, suffixes);
    case Family::trap:
      return trap(instruction, suffixes);
    case Family::vote:
      return vote(instruction, suffixes);
  }
}

}  // namespace cudalabs::vgpu::exec
