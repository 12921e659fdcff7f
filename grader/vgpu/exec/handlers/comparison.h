// Every comparison of PTX as one of few relations or its complement.
#pragma once

#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

/// `ne` of floating-point numbers means "less or greater"; `num`: neither is NaN. Of integers only eq, lt, gt.
struct Comparison {
  ir::Compare relation = ir::Compare::eq;
  bool complement = false;
};

constexpr Comparison normalized(ir::Compare compare, bool floating) {
  using ir::Compare;
  switch (compare) {
    case Compare::ne:
      return floating ? Comparison{Compare::ne, false} : Comparison{Compare::eq, true};
    case Compare::lo:
      return {Compare::lt, false};
    case Compare::hi:
      return {Compare::gt, false};
    case Compare::le:
    case Compare::ls:
      return floating ? Comparison{Compare::le, false} : Comparison{Compare::gt, true};
    case Compare::ge:
    case Compare::hs:
      return floating ? Comparison{Compare::ge, false} : Comparison{Compare::lt, true};
    case Compare::equ:
      return {Compare::ne, true};
    case Compare::neu:
      return {Compare::eq, true};
    case Compare::ltu:
      return {Compare::ge, true};
    case Compare::leu:
      return {Compare::gt, true};
    case Compare::gtu:
      return {Compare::le, true};
    case Compare::geu:
      return {Compare::lt, true};
    case Compare::nan:
      return {Compare::num, true};
    default:
      return {compare, false};
  }
}

}  // namespace cudalabs::vgpu::exec
