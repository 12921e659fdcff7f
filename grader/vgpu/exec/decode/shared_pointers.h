// Variables of a module that begin with addresses of `__shared__` variables.
//
// nvcc makes none: it stores such addresses when the kernel runs. clang makes a constant of what a variable of a kernel
// begins with, also of `float* both[2] = {first, second}`, and lets the kernel copy that constant.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {
class GlobalMemory;
}

namespace cudalabs::vgpu::exec {

struct Surroundings;

/// A place in a module's variable that holds the address of a shared variable, which has one once its kernel is built.
struct SharedPointer {
  std::uint64_t address = 0;  // of the place
  std::string variable;       // whose place it is
  ptx::Variable::Relocation of;
};

/// By the place's address: what a kernel wants to stand there.
using SharedAddresses = std::map<std::uint64_t, std::uint64_t>;

/// Those pointers of `surroundings` whose variable the kernel has, which is the one that its shared variables are of.
SharedAddresses addresses_of_shared(const Surroundings& surroundings);

/// Whether what `wanted` says fits to what `all` says; adds it there if so.
bool add_addresses(SharedAddresses& all, const SharedAddresses& wanted);

void write_addresses(GlobalMemory& memory, const SharedAddresses& all);

}  // namespace cudalabs::vgpu::exec
