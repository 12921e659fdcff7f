// Functions that a module declares and the device provides: libdevice's `__nv_*`, printf, assert, malloc and free, and
// the CUDA runtime in device code.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vgpu/exec/micro_op.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::exec {

struct Builtin {
  ptx::Type result = ptx::Type::none;  // none: no result
  std::vector<ptx::Type> arguments;    // pointers are u64
  Handler handler = nullptr;           // d = result, a, b, c = arguments that are no result pointers
  /// A result delivered through a pointer: computed by `handler` from the other arguments, then stored.
  struct Store {
    std::size_t argument = 0;
    ptx::Type type = ptx::Type::none;
    Handler handler = nullptr;
  };
  std::vector<Store> stores;
  bool ends_launch = false;  // __assertfail
  bool allocates = false;    // malloc, free: the order of calls decides the addresses
  /// Of a call with two `dim3` behind its first argument: what takes their extents and the call's result. They are not
  /// among `arguments`.
  std::vector<Handler> extents;

  bool is_pointer(std::size_t argument) const {
    for (const Store& store : stores) {
      if (store.argument == argument) return true;
    }
    return false;
  }
};

/// Null when the device has no such function.
const Builtin* find_builtin(std::string_view name);

}  // namespace cudalabs::vgpu::exec
