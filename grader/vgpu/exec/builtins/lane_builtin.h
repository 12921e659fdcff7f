// A builtin out of a lambda: its signature becomes the builtin's, its body runs for every active lane.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "vgpu/exec/builtins/tables.h"
#include "vgpu/exec/handlers/float_bits.h"
#include "vgpu/exec/handlers/lane_call.h"

namespace cudalabs::vgpu::exec {

template <class T>
constexpr ptx::Type builtin_type() {
  if constexpr (std::is_same_v<T, float>) {
    return ptx::Type::f32;
  } else if constexpr (std::is_same_v<T, double>) {
    return ptx::Type::f64;
  } else {
    return sizeof(T) == 8 ? ptx::Type::b64 : ptx::Type::b32;
  }
}

/// Of the arguments, where the result is NaN.
inline double nan_among(double a) {
  return nan_of(a);
}
inline double nan_among(double a, double b) {
  return nan_of(a, b);
}
inline double nan_among(double a, double b, double c, double d = 0) {
  return nan_of(nan_of(a, b, c), d);
}
inline double nan_among(double a, std::int32_t) {
  return nan_of(a);
}
inline double nan_among(std::int32_t, double a) {
  return nan_of(a);
}

/// NaN results are those of the hardware's arithmetic on the arguments.
template <class T, class... A>
T tidy(T value, A... arguments) {
  if constexpr (std::is_same_v<T, float>) {
    return canonical(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return value == value ? value : nan_among(arguments...);
  } else {
    return value;
  }
}
template <class Lambda, class Call = decltype(&Lambda::operator())>
struct LaneBuiltin;

template <class Lambda, class R, class... A>
struct LaneBuiltin<Lambda, R (Lambda::*)(A...) const> {
  template <class T>
  using Single = std::conditional_t<std::is_same_v<T, double>, float, T>;

  static R run(A... arguments) { return tidy<R>(Lambda{}(arguments...), arguments...); }
  /// The same in single precision: every double becomes a float.
  static Single<R> run_single(Single<A>... arguments) {
    return tidy<Single<R>>(static_cast<Single<R>>(Lambda{}(static_cast<A>(arguments)...)));
  }
  static R run_moving(A... arguments) { return Lambda{}(arguments...); }
  static constexpr Handler kMovingHandler = &LaneCall<&run_moving>::run;
  static constexpr Handler kHandler = &LaneCall<&run>::run;
  static constexpr Handler kSingleHandler = &LaneCall<&run_single>::run;

  static Builtin builtin() {
    Builtin made;
    made.result = builtin_type<R>();
    made.arguments = {builtin_type<A>()...};
    made.handler = kHandler;
    return made;
  }
  static Builtin single_builtin() {
    Builtin made;
    made.result = builtin_type<Single<R>>();
    made.arguments = {builtin_type<Single<A>>()...};
    made.handler = kSingleHandler;
    return made;
  }
};

/// "__nv_" + name.
template <class Lambda>
void add(BuiltinTable& table, const std::string& name, Lambda) {
  table.emplace("__nv_" + name, LaneBuiltin<Lambda>::builtin());
}

/// "__nv_" + name, whose result is one of the arguments or has their bits: NaN stays what it is.
template <class Lambda>
void add_moving(BuiltinTable& table, const std::string& name, Lambda) {
  Builtin builtin = LaneBuiltin<Lambda>::builtin();
  builtin.handler = LaneBuiltin<Lambda>::kMovingHandler;
  table.emplace("__nv_" + name, std::move(builtin));
}

/// "__nv_" + name in double precision and "__nv_" + name + "f" in single, both by the double-precision body.
template <class Lambda>
void add_both(BuiltinTable& table, const std::string& name, Lambda) {
  table.emplace("__nv_" + name, LaneBuiltin<Lambda>::builtin());
  table.emplace("__nv_" + name + "f", LaneBuiltin<Lambda>::single_builtin());
}

}  // namespace cudalabs::vgpu::exec
