// Bessel functions, with CUDA's values at special operands. Whatever the operands, a call ends soon and throws nothing,
// as neither the C nor the C++ library promises.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu::exec {

/// J_order(x), the function of the first kind; NaN where the order is negative. Beyond an order of 16384 the absolute
/// error may be 1e-7.
double bessel_j(std::int32_t order, double x);
/// Y_order(x), the function of the second kind; NaN where the order or x is negative. Beyond an order of 16384 the
/// error may be 1e-7 or, where the value is greater than 1, 1e-4 of it.
double bessel_y(std::int32_t order, double x);
/// I_order(x), the modified function of the first kind; `order` is 0 or 1. Infinite where a double does not hold it.
double bessel_i(int order, double x);

}  // namespace cudalabs::vgpu::exec
