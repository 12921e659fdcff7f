// Turns a C++ function of up to three numbers into a builtin that is applied lane by lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "vgpu/exec/builtins/builtins.h"
#include "vgpu/exec/handlers/chain.h"

namespace cudalabs::vgpu::exec {

using BuiltinTable = std::unordered_map<std::string, Builtin>;

template <class T>
constexpr ptx::Type ptx_type() {
  if constexpr (std::is_same_v<T, float>) {
    return ptx::Type::f32;
  } else if constexpr (std::is_same_v<T, double>) {
    return ptx::Type::f64;
  } else {
    static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
    return sizeof(T) == 4 ? ptx::Type::b32 : ptx::Type::b64;
  }
}

/// These functions are rare and their bodies long, so the plain loop over lanes is compiled once, not once an
/// instruction set: what a program computes does not depend on the machine.
template <class D, class... Arguments>
struct LaneLoop {
  template <D (*kFunction)(Arguments...)>
  static const MicroOp* run(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
    apply<kFunction>(op, registers, mask, std::index_sequence_for<Arguments...>{});
    return next(op, registers, warp, mask);
  }

 private:
  static_assert(sizeof...(Arguments) >= 1 && sizeof...(Arguments) <= 3);

  template <D (*kFunction)(Arguments...), std::size_t... kIndex>
  static void apply(const MicroOp* op, std::byte* registers, LaneMask mask, std::index_sequence<kIndex...>) {
    const std::uint32_t offsets[] = {op->a, op->b, op->c};
    D* d = reinterpret_cast<D*>(registers + op->d);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      d[lane] = kFunction(reinterpret_cast<const Arguments*>(registers + offsets[kIndex])[lane]...);
    }
  }
};

template <auto kFunction, class D, class... Arguments>
Handler lane_handler(D (*)(Arguments...)) {
  return &LaneLoop<D, Arguments...>::template run<kFunction>;
}

template <auto kFunction, class D, class... Arguments>
Builtin lane_builtin(D (*)(Arguments...)) {
  return {.result = ptx_type<D>(),
          .arguments = {ptx_type<Arguments>()...},
          .handler = lane_handler<kFunction>(kFunction),
          .stores = {}};
}

/// Adds `name`, computed by kFunction in each lane.
template <auto kFunction>
void add_function(BuiltinTable& table, const std::string& name) {
  table.emplace(name, lane_builtin<kFunction>(kFunction));
}

/// Adds `name`(x, T* first, T* second) without a result, as sincos.
template <auto kFirst, auto kSecond, class T>
void add_pair_function(BuiltinTable& table, const std::string& name) {
  Builtin builtin{.result = ptx::Type::none,
                  .arguments = {ptx_type<T>(), ptx::Type::u64, ptx::Type::u64},
                  .handler = nullptr,
                  .stores = {}};
  builtin.stores.push_back({1, ptx_type<T>(), lane_handler<kFirst>(kFirst)});
  builtin.stores.push_back({2, ptx_type<T>(), lane_handler<kSecond>(kSecond)});
  table.emplace(name, std::move(builtin));
}

/// Adds `name`(x, S* second): the result by kResult, what the pointer receives by kSecond; as modf and frexp.
template <auto kResult, auto kSecond, class T, class S>
void add_split_function(BuiltinTable& table, const std::string& name) {
  Builtin builtin{.result = ptx_type<T>(),
                  .arguments = {ptx_type<T>(), ptx::Type::u64},
                  .handler = lane_handler<kResult>(kResult),
                  .stores = {}};
  builtin.stores.push_back({1, ptx_type<S>(), lane_handler<kSecond>(kSecond)});
  table.emplace(name, std::move(builtin));
}

/// libdevice's functions by group; each in the file of its name.
void add_float_math(BuiltinTable& table);
void add_double_math(BuiltinTable& table);
void add_integer_functions(BuiltinTable& table);
void add_rounded_arithmetic(BuiltinTable& table);
void add_conversions(BuiltinTable& table);

}  // namespace cudalabs::vgpu::exec
