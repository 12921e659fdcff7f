// Texts of errors in an array of the device with a table of where each begins; and the value of a condition, whose
// handle is its address.
#include "vgpu/cudart/server/device_library.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "vgpu/cudart/error_text.h"

namespace cudalabs::vgpu {
namespace {

/// All errors have smaller numbers, cudaErrorUnknown the greatest. An entry behind them is that of other numbers.
constexpr int kNumbers = 1000;

std::string text_function(std::string_view name, const char* (*text_of)(cudaError_t)) {
  std::vector<unsigned> bytes;
  std::vector<std::size_t> begins;
  std::map<std::string_view, std::size_t> known;
  for (int number = 0; number <= kNumbers; ++number) {
    const std::string_view text = text_of(static_cast<cudaError_t>(number));
    const auto [place, is_new] = known.try_emplace(text, bytes.size());
    begins.push_back(place->second);
    if (!is_new) continue;
    for (const char letter : text) bytes.push_back(static_cast<unsigned char>(letter));
    bytes.push_back(0);
  }
  return fmt::format(R"(
.global .align 1 .b8 {0}_texts[{1}] = {{{2}}};
.global .align 2 .u16 {0}_begins[{3}] = {{{4}}};
.visible .func (.param .b64 text) {0}(.param .b32 number)
{{
.reg .b32 %r<2>;
.reg .b64 %d<4>;
  ld.param.u32 %r0, [number];
  min.u32 %r1, %r0, {5};
  mul.wide.u32 %d0, %r1, 2;
  mov.u64 %d1, {0}_begins;
  add.u64 %d1, %d1, %d0;
  ld.global.u16 %d2, [%d1];
  mov.u64 %d3, {0}_texts;
  cvta.global.u64 %d3, %d3;
  add.u64 %d3, %d3, %d2;
  st.param.b64 [text], %d3;
  ret;
}}
)",
                     name, bytes.size(), fmt::join(bytes, ","), begins.size(), fmt::join(begins, ","), kNumbers);
}

std::string error_string_function() {
  return text_function("__cudaCDP2GetErrorString", &error_text);
}
std::string error_name_function() {
  return text_function("__cudaCDP2GetErrorName", &error_name);
}
std::string set_conditional_function() {
  return R"(
.visible .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value)
{
.reg .b32 %r<1>;
.reg .b64 %d<1>;
  ld.param.u64 %d0, [handle];
  ld.param.u32 %r0, [value];
  st.global.u32 [%d0], %r0;
  ret;
}
)";
}

struct Part {
  const char* function;
  std::string (*ptx)();
};
constexpr std::array<Part, 3> kParts{{{"__cudaCDP2GetErrorString", &error_string_function},
                                      {"__cudaCDP2GetErrorName", &error_name_function},
                                      {"cudaGraphSetConditional", &set_conditional_function}}};

}  // namespace

std::optional<std::string> device_library(std::span<const std::string> texts) {
  std::string functions;
  for (const Part& part : kParts) {
    const auto names_it = [&](const std::string& text) { return text.find(part.function) != std::string::npos; };
    if (std::ranges::any_of(texts, names_it)) functions += part.ptx();
  }
  if (functions.empty()) return std::nullopt;
  return ".version 7.0\n.target sm_52\n.address_size 64\n" + functions;
}

}  // namespace cudalabs::vgpu
