// libdevice's arithmetic in a chosen rounding direction: __nv_fadd_rz, __nv_dsqrt_ru and the like.
#include <cmath>

#include "vgpu/exec/builtins/directed_rounding.h"
#include "vgpu/exec/builtins/lane_function.h"

namespace cudalabs::vgpu::exec {
namespace {

template <class T, int kDirection>
T sum(T a, T b) {
  const DirectedRounding rounding(kDirection);
  volatile T result = a + b;
  return result;
}
template <class T, int kDirection>
T difference(T a, T b) {
  const DirectedRounding rounding(kDirection);
  volatile T result = a - b;
  return result;
}
template <class T, int kDirection>
T product(T a, T b) {
  const DirectedRounding rounding(kDirection);
  volatile T result = a * b;
  return result;
}
template <class T, int kDirection>
T quotient(T a, T b) {
  const DirectedRounding rounding(kDirection);
  volatile T result = a / b;
  return result;
}
template <class T, int kDirection>
T reciprocal(T a) {
  return quotient<T, kDirection>(T{1}, a);
}
template <class T, int kDirection>
T square_root(T a) {
  const DirectedRounding rounding(kDirection);
  volatile T result = std::sqrt(a);
  return result;
}
template <class T, int kDirection>
T fused(T a, T b, T c) {
  const DirectedRounding rounding(kDirection);
  volatile T result = std::fma(a, b, c);
  return result;
}

template <class T>
void add_type(BuiltinTable& table, const std::string& prefix, const std::string& fused_name) {
  for_each_rounding([&]<int kDirection>(const std::string& suffix) {
    add_function<&sum<T, kDirection>>(table, prefix + "add" + suffix);
    add_function<&difference<T, kDirection>>(table, prefix + "sub" + suffix);
    add_function<&product<T, kDirection>>(table, prefix + "mul" + suffix);
    add_function<&quotient<T, kDirection>>(table, prefix + "div" + suffix);
    add_function<&reciprocal<T, kDirection>>(table, prefix + "rcp" + suffix);
    add_function<&square_root<T, kDirection>>(table, prefix + "sqrt" + suffix);
    add_function<&fused<T, kDirection>>(table, fused_name + suffix);
  });
}

}  // namespace

void add_rounded_arithmetic(BuiltinTable& table) {
  add_type<float>(table, "__nv_f", "__nv_fmaf");
  add_type<double>(table, "__nv_d", "__nv_fma");
}

}  // namespace cudalabs::vgpu::exec
