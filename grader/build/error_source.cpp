#include "build/error_source.h"

#include <algorithm>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs::builder {
namespace {

/// More is not read: a text may be made to be long to read.
constexpr std::size_t kLongestHead = 400, kLongestTemplateArguments = 100;

/// What stands before the place in its declaration, on one line or several.
std::string head_before(std::string_view code, std::size_t place) {
  const std::size_t least = place > kLongestHead ? place - kLongestHead : 0;
  std::string_view head = code.substr(least, place - least);
  const std::size_t end = head.find_last_of(";{}");
  if (end != kNowhere) head.remove_prefix(end + 1);
  while (true) {
    const std::size_t hash = head.find('#');
    const std::size_t newline = hash == kNowhere ? kNowhere : head.find('\n', hash);
    if (newline == kNowhere) break;
    head.remove_prefix(newline + 1);
  }
  return std::string(without_outer_spaces(head));
}

/// The name that is launched by the "<<<" at `at`.
std::string_view launched_at(std::string_view code, std::size_t at) {
  std::size_t end = before_spaces(code, at);
  if (end == kNowhere) return {};
  if (code[end] == '>') {
    // "add<float, (8)>": back to where its arguments begin.
    const std::size_t least = end > kLongestTemplateArguments ? end - kLongestTemplateArguments : 0;
    int depth = 0;
    while (end > least) {
      depth += code[end] == '>' ? 1 : code[end] == '<' ? -1 : 0;
      if (depth == 0) break;
      --end;
    }
    if (depth != 0) return {};
    return word_before(code, end);
  }
  return word_before(code, end + 1);
}

}  // namespace

ErrorSource::ErrorSource(std::string_view text, std::string file, std::string header)
    : text_(text),
      code_(without_comments(text)),
      file_(std::move(file)),
      header_(std::move(header)),
      lines_(text_lines(text_)),
      code_lines_(text_lines(code_)),
      functions_(function_bodies(code_)) {}

bool ErrorSource::has(const SourcePlace& place) const {
  return place.line > 0 && place.line <= lines_.size() && place.file.ends_with(file_);
}

std::string_view ErrorSource::file_name() const {
  return std::string_view(file_).substr(file_.rfind('/') + 1);
}

std::string_view ErrorSource::line(const SourcePlace& place) const {
  return has(place) ? lines_[place.line - 1] : std::string_view();
}

std::string_view ErrorSource::code_line(const SourcePlace& place) const {
  return has(place) && place.line <= code_lines_.size() ? code_lines_[place.line - 1] : std::string_view();
}

std::pair<std::uint32_t, std::string_view> ErrorSource::code_before(std::uint32_t line) const {
  for (std::size_t i = std::min<std::size_t>(line, code_lines_.size() + 1); i > 1; --i) {
    const std::string_view code = without_outer_spaces(code_lines_[i - 2]);
    if (!code.empty()) return {static_cast<std::uint32_t>(i - 1), code};
  }
  return {0, {}};
}

const FunctionBody* ErrorSource::function_around(const SourcePlace& place) const {
  const std::string_view line = code_line(place);
  if (line.data() == nullptr) return nullptr;
  const auto begin = static_cast<std::size_t>(line.data() - code_.data());
  const auto found = std::ranges::find_if(functions_, [&](const FunctionBody& function) {
    return function.begin <= begin + line.size() && begin < function.end;
  });
  return found == functions_.end() ? nullptr : &*found;
}

std::optional<Definition> ErrorSource::definition(std::string_view name) const {
  const auto [known, is_new] = definitions_.try_emplace(std::string(name));
  if (!is_new) return known->second;
  if (const std::optional<FunctionText> text = only_function(text_, name)) {
    const std::size_t place = place_of_line(code_, text->line, text->column);
    known->second = Definition{text->line, text->column, head_before(code_, place)};
  }
  return known->second;
}

bool ErrorSource::is_kernel(std::string_view name) const {
  const auto found = definition(name);
  return found && has_name(found->head, "__global__");
}

bool ErrorSource::is_in_device_code(const SourcePlace& place) const {
  const FunctionBody* function = function_around(place);
  if (function == nullptr) return false;
  const auto found = definition(function->name);
  return found && (has_name(found->head, "__global__") || has_name(found->head, "__device__"));
}

bool ErrorSource::is_launched(std::string_view name) const {
  for (std::size_t at = code_.find("<<<"); at != std::string::npos; at = code_.find("<<<", at + 3))
    if (launched_at(code_, at) == name) return true;
  return false;
}

std::string_view launched_in(std::string_view code) {
  const std::size_t at = code.find("<<<");
  return at == kNowhere ? std::string_view() : launched_at(code, at);
}

}  // namespace cudalabs::builder
