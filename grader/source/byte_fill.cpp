#include "source/byte_fill.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::array<std::string_view, 2> kFunctions{"cudaMemset", "cudaMemsetAsync"};
/// Of more calls, such as a program makes that wants to keep the grader busy, none is the only one.
constexpr int kMostCalls = 64;

/// The type in `sizeof(type)`, when its values have several bytes.
std::string type_of_several_bytes(std::string_view size) {
  const std::size_t word = size.find("sizeof");
  if (word == std::string_view::npos) return {};
  const std::size_t open = past_spaces(size, word + 6);
  if (open >= size.size() || size[open] != '(') return {};
  const std::size_t begin = past_spaces(size, open + 1), end = size.find(')', begin);
  if (end == std::string_view::npos) return {};
  const std::size_t last = before_spaces(size, end);
  if (last == std::string_view::npos || last < begin) return {};
  std::string type(size.substr(begin, last + 1 - begin));
  const bool bytes = type.find("char") != std::string::npos || type.find("int8") != std::string::npos ||
                     type == "bool" || type.find("byte") != std::string::npos;
  return bytes ? std::string() : type;
}

/// A literal number that is not all bytes alike: neither 0, nor -1 or 0xFF of integers.
bool differs_by_byte(std::string_view literal, std::string_view type) {
  const std::string text(literal);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);  // reads hexadecimal, too
  const std::string_view rest = std::string_view(text).substr(static_cast<std::size_t>(end - text.c_str()));
  if (end == text.c_str() || rest.find_first_not_of("fFuUlL") != std::string_view::npos || value == 0) return false;
  const bool floating = type == "float" || type == "double";
  return floating || (value != -1 && value != 255);
}

/// A call, and its arguments: at least three.
struct FillCall {
  std::size_t line = 0, column = 0;  // from 0 on
  std::string_view function;
  std::vector<std::string_view> arguments;
};

/// Nothing where there are too many.
std::vector<FillCall> fill_calls(std::string_view code, const std::vector<std::string_view>& lines) {
  std::vector<FillCall> found;
  int calls = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for_each_name(lines[i], [&](std::size_t at, std::string_view name) {
      if (std::ranges::find(kFunctions, name) == kFunctions.end() || ++calls > kMostCalls) return;
      const std::size_t place = static_cast<std::size_t>(lines[i].data() - code.data()) + at;
      const std::size_t open = past_spaces(code, place + name.size());
      if (open >= code.size() || code[open] != '(') return;
      const std::size_t end = past_bracket(code, open);
      if (end == std::string_view::npos || end <= open + 1) return;
      auto arguments = items_of(code.substr(open + 1, end - open - 2));
      if (arguments.size() >= 3) found.push_back({i, at, name, std::move(arguments)});
    });
  }
  if (calls > kMostCalls) found.clear();
  return found;
}

ByteFill fill_of(const FillCall& call, std::string_view value, std::string type) {
  return {static_cast<std::uint32_t>(call.line) + 1, static_cast<std::uint32_t>(call.column) + 1,
          std::string(call.function), std::string(value), std::move(type)};
}

std::optional<ByteFill> only_one(const std::vector<ByteFill>& found) {
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

}  // namespace

std::optional<ByteFill> byte_fill(std::string_view source) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  std::vector<ByteFill> found;
  for (const FillCall& call : fill_calls(code, lines)) {
    std::string_view size = call.arguments[2];
    if (const auto setting = last_setting_of(source, static_cast<std::uint32_t>(call.line) + 1, size))
      size = lines[setting->line - 1].substr(setting->column - 1);
    std::string type = type_of_several_bytes(size);
    if (type.empty() || !differs_by_byte(call.arguments[1], type)) continue;
    found.push_back(fill_of(call, call.arguments[1], std::move(type)));
  }
  return only_one(found);
}

std::optional<ByteFill> short_fill(std::string_view source) {
  const std::string code = without_comments(source);
  std::vector<ByteFill> found;
  for (const FillCall& call : fill_calls(code, text_lines(code))) {
    const std::string_view size = call.arguments[2];
    if (size == "1" || size == "2" || size == "3") found.push_back(fill_of(call, size, {}));
  }
  return only_one(found);
}

}  // namespace cudalabs
