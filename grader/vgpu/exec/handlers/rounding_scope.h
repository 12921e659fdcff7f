// The processor's rounding mode, as an instruction asks for it.
#pragma once

#include <cfenv>

#include "vgpu/exec/decode/ir.h"

namespace cudalabs::vgpu::exec {

/// The processor rounds this way while the object lives. Operands and results pass through volatile variables, so that
/// no arithmetic is moved across it.
class RoundingScope {
 public:
  explicit RoundingScope(ir::Rounding rounding) : before_(std::fegetround()) { std::fesetround(mode(rounding)); }
  ~RoundingScope() { std::fesetround(before_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  static int mode(ir::Rounding rounding) {
    switch (rounding) {
      case ir::Rounding::zero:
        return FE_TOWARDZERO;
      case ir::Rounding::down:
        return FE_DOWNWARD;
      case ir::Rounding::up:
        return FE_UPWARD;
      default:
        return FE_TONEAREST;
    }
  }

  int before_;
};

}  // namespace cudalabs::vgpu::exec
