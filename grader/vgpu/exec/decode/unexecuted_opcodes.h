// The opcodes of PTX that the virtual GPU does not execute, to tell them from words that are none.
#pragma once

#include <algorithm>
#include <string_view>

namespace cudalabs::vgpu::exec {

/// Of a word that the translator does not know: whether it is an opcode of PTX (ISA 9.0, "Instruction Set") all the
/// same.
inline bool is_ptx_opcode(std::string_view word) {
  static constexpr std::string_view kOpcodes[] = {"alloca",       "clusterlaunchcontrol",
                                                  "createpolicy", "getctarank",
                                                  "istypep",      "ldmatrix",
                                                  "mapa",         "mbarrier",
                                                  "mma",          "movmatrix",
                                                  "multimem",     "stackrestore",
                                                  "stacksave",    "stmatrix",
                                                  "suld",         "suq",
                                                  "sured",        "sust",
                                                  "tcgen05",      "tensormap",
                                                  "tex",          "tld4",
                                                  "txq",          "vabsdiff",
                                                  "vadd",         "vadd2",
                                                  "vadd4",        "vavrg2",
                                                  "vavrg4",       "vmad",
                                                  "vmax",         "vmax2",
                                                  "vmax4",        "vmin",
                                                  "vmin2",        "vmin4",
                                                  "vset",         "vset2",
                                                  "vset4",        "vshl",
                                                  "vshr",         "vsub",
                                                  "vsub2",        "vsub4",
                                                  "wgmma",        "wmma"};
  return std::ranges::binary_search(kOpcodes, word);
}

}  // namespace cudalabs::vgpu::exec
