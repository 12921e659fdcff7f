// Copies of whole structures in LLVM's text, between clang's front end and LLVM's passes.
#pragma once

#include <string>
#include <vector>

namespace cudalabs::builder {

/// Arguments of sed that make each copy of a structure one load and one store, where its size is 4, 8 or 16 bytes and
/// it is aligned to that: `float4`, `uchar4`, `double2`, and structures of that alignment. For the text of LLVM 14 with
/// typed pointers, and of later ones without.
///
/// nvcc accesses such a structure as a whole, and a device faults where its address is not a multiple of its size. LLVM
/// takes the copy for bytes: it splits it into the members that are used, or into two halves, whose addresses may be
/// right where that of the whole is wrong, and which take more instructions.
std::vector<std::string> whole_struct_copies();

}  // namespace cudalabs::builder
