// Declarations and products are read as text.
#include "explain/memory/pointer_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; of a person there are fewer, and shorter ones.
constexpr std::size_t kMostSizes = 16, kLongestOfSize = 500;
constexpr std::uint32_t kPointerBytes = 8;

constexpr std::array<std::string_view, 7> kOfSizes{finding_ids::kRunnerCrashed,     finding_ids::kRuntimeError,
                                                   finding_ids::kGlobalOutOfBounds, finding_ids::kUnwrittenOutput,
                                                   finding_ids::kResultMismatch,    finding_ids::kNonfiniteResult,
                                                   finding_ids::kUninitializedRead};

struct Element {
  std::string type;
  std::uint32_t bytes = 0;
};

using TypeNames = std::set<std::string_view>;

/// "T" of "template <typename T>".
TypeNames types_of_templates(std::string_view code) {
  TypeNames names;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word_before(code, at) == "typename") names.insert(word);
  });
  return names;
}

/// The type and its size, where that is known; 0: it is one of a template's.
std::optional<Element> element_of(std::string_view type, const TypeNames& of_templates) {
  constexpr std::array<std::pair<std::string_view, std::uint32_t>, 12> kTypes{{{"float", 4},
                                                                               {"int", 4},
                                                                               {"unsigned", 4},
                                                                               {"unsigned int", 4},
                                                                               {"char", 1},
                                                                               {"unsigned char", 1},
                                                                               {"short", 2},
                                                                               {"uint8_t", 1},
                                                                               {"int32_t", 4},
                                                                               {"uint32_t", 4},
                                                                               {"float4", 16},
                                                                               {"uchar3", 3}}};
  const auto known = std::ranges::find(kTypes, type, &std::pair<std::string_view, std::uint32_t>::first);
  if (known != kTypes.end()) return Element{std::string(type), known->second};
  return of_templates.contains(type) ? std::optional(Element{std::string(type), 0}) : std::nullopt;
}

/// "float" of "const float* __restrict__", "std::uint8_t*" and "float": the words of the type.
std::string type_words(std::string_view text) {
  std::string type;
  for_each_name(text, [&](std::size_t, std::string_view word) {
    if (word == "const" || word == "std" || word == "__restrict__" || word == "restrict" || word == "__restrict")
      return;
    type += (type.empty() ? "" : " ") + std::string(word);
  });
  return type;
}

/// What the declaration "const float* c" of `name` points to; empty: it is no pointer, or one to something else.
std::string pointee(std::string_view declaration, std::string_view name) {
  const std::size_t bracket = declaration.find('[');
  const bool array = bracket != kNowhere;
  if (parameter_name(declaration) != name || declaration.find('&') != kNowhere) return {};
  if (std::ranges::count(declaration, '[') > 1 || std::ranges::count(declaration, '*') != (array ? 0 : 1)) return {};
  const std::string_view before = declaration.substr(0, declaration.substr(0, bracket).rfind(name));
  return type_words(before);
}

/// The text before a name of a function's body, from where its statement, or list of parameters, begins.
std::string_view head_before(std::string_view body, std::size_t at) {
  const std::size_t least = at - std::min(at, kLongestOfSize);
  const std::string_view head = body.substr(least, at - least);
  const std::size_t separator = head.find_last_of(";{}(");
  return separator == kNowhere ? std::string_view() : head.substr(separator + 1);
}

/// "float* x = nullptr, *": the type before the first star, where the last item of the list is a star alone.
std::string type_of_list(std::string_view head) {
  const std::size_t comma = head.rfind(','), star = head.find('*');
  if (comma == kNowhere || star == kNowhere || star > comma || without_outer_spaces(head.substr(comma + 1)) != "*")
    return {};
  return type_words(head.substr(0, star));
}

/// What the only declaration of the name in the function makes it point to; empty: none, or several.
std::string declared_pointee(std::string_view code, const FunctionBody& function, std::string_view name,
                             const TypeNames& of_templates) {
  std::vector<std::string> found;
  for (const std::string& parameter : function.parameters) {
    if (parameter_name(parameter) == name) found.push_back(pointee(parameter, name));
  }
  const std::string_view body = code.substr(function.begin, function.end - function.begin);
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    if (word != name || found.size() > 1) return;
    const std::string_view head = head_before(body, at);
    const std::string list = type_of_list(head);
    if (!list.empty() && element_of(list, of_templates)) return found.push_back(list);
    const std::string type = type_words(head);
    if (type.empty() || head.find_first_of("=,)") != kNowhere) return;
    const bool value = head.find('*') == kNowhere && type != "return" && type != "sizeof";
    if (!value && !element_of(type, of_templates)) return;
    const std::size_t behind = at + word.size();
    const bool array = behind < body.size() && body[behind] == '[';
    found.push_back(value || array ? std::string() : pointee(std::string(head) + std::string(name), name));
  });
  return found.size() == 1 ? found.front() : std::string();
}

bool has_pointers_to_pointers(std::string_view code) {
  for (std::size_t at = code.find("**"); at != kNowhere; at = code.find("**", at + 2)) {
    if (word_before(code, at) != "void" && end_of_word(code, past_spaces(code, at + 2)) != past_spaces(code, at + 2))
      return true;
  }
  return false;
}

/// "sizeof(c)" and "sizeof c": the name, and where the expression ends.
struct Operand {
  std::size_t name = 0, end = 0;
};

std::optional<Operand> operand_of(std::string_view code, std::size_t behind) {
  const std::size_t open = past_spaces(code, behind);
  const bool brackets = open < code.size() && code[open] == '(';
  const std::size_t name = brackets ? past_spaces(code, open + 1) : open, name_end = end_of_word(code, name);
  if (name_end == name || is_digit(code[name])) return std::nullopt;
  std::size_t end = name_end;
  if (brackets) {
    end = past_spaces(code, name_end);
    if (end >= code.size() || code[end] != ')') return std::nullopt;
    ++end;
  }
  const std::size_t next = past_spaces(code, end);
  const bool goes_on = next < code.size() && (code[next] == '[' || code[next] == '.' || code[next] == '(' ||
                                              code.substr(next).starts_with("->"));
  return goes_on ? std::nullopt : std::optional(Operand{name, end});
}

bool is_multiplied(std::string_view code, std::size_t begin, std::size_t end) {
  const std::size_t before = before_spaces(code, begin), behind = past_spaces(code, end);
  if (behind < code.size() && code[behind] == '*') return true;
  if (before == kNowhere || before == 0 || code[before] != '*') return false;
  const std::size_t factor = before_spaces(code, before);
  return factor != kNowhere && (is_word_letter(code[factor]) || code[factor] == ')' || code[factor] == ']');
}

/// "cudaMemset(d_out, 0, sizeof(d_out))", around what begins at `begin`.
struct WholeCall {
  std::string_view name;
  std::vector<std::string_view> arguments;
};

std::optional<WholeCall> call_around(std::string_view code, std::size_t begin) {
  int depth = 0;
  const std::size_t least = begin - std::min(begin, kLongestOfSize);
  for (std::size_t at = begin; at-- > least;) {
    if (code[at] == ';' || code[at] == '{' || code[at] == '}') return std::nullopt;
    depth += code[at] == ')' ? 1 : code[at] == '(' ? -1 : 0;
    if (depth >= 0) continue;
    const std::size_t end = past_bracket(code.substr(0, std::min(code.size(), begin + kLongestOfSize)), at);
    if (end == kNowhere) return std::nullopt;
    return WholeCall{word_before(code, at), items_of(code.substr(at + 1, end - at - 2))};
  }
  return std::nullopt;
}

/// A call of the runtime that copies or fills takes the pointer, and its size as the number of bytes.
std::optional<WholeCall> call_that_takes(std::string_view code, std::string_view size, std::string_view pointer) {
  auto call = call_around(code, static_cast<std::size_t>(size.data() - code.data()));
  const auto has = [&](std::string_view text) {
    return std::ranges::find(call->arguments, text) != call->arguments.end();
  };
  const bool copies = call && (call->name.starts_with("cudaMemset") || call->name.starts_with("cudaMemcpy"));
  return copies && has(size) && has(pointer) ? call : std::nullopt;
}

/// "3" of the only parameter "const int size[3]" of that name.
std::string extent_of_parameter(const FunctionBody& function, std::string_view name) {
  for (const std::string& parameter : function.parameters) {
    const std::size_t open = parameter.find('['), close = parameter.find(']');
    if (parameter_name(parameter) != name || open == std::string::npos || close < open) continue;
    return std::string(without_outer_spaces(std::string_view(parameter).substr(open + 1, close - open - 1)));
  }
  return {};
}

/// "bytes" of "const size_t bytes = n * sizeof(c)" and "bytes = ...".
std::string set_by_statement(std::string_view code, std::size_t at) {
  const std::size_t begin = code.find_last_of(";{}", at) + 1;
  if (at - begin > kLongestOfSize) return {};
  const std::string_view head = code.substr(begin, at - begin);
  const std::size_t sign = head.find_first_of("=(");
  if (sign == kNowhere || head[sign] == '(' || head.substr(sign).starts_with("==")) return {};
  const std::string_view value = head.substr(sign);
  const bool whole = std::ranges::count(value, '(') == std::ranges::count(value, ')');
  return whole ? std::string(word_before(head, sign)) : std::string();
}

/// The statement from that line on, up to its semicolon.
std::string_view statement_from(std::string_view code, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return {};
  const auto begin = static_cast<std::size_t>(lines[line - 1].data() - code.data());
  const std::string_view text = code.substr(begin, kLongestOfSize);
  return text.substr(0, text.find(';'));
}

/// The statement that begins in the line takes the number of bytes: by the variable that is set to it, in the same
/// function, or in its own text.
bool takes(std::string_view code, std::uint32_t line, const PointerSize& size) {
  const std::string_view statement = statement_from(code, line);
  const auto rows = static_cast<std::uint32_t>(std::ranges::count(statement, '\n'));
  const std::uint32_t own = size.pointer.line;
  if (size.set.empty()) return !statement.empty() && line <= own && own <= line + rows;
  const auto function = function_around_line(code, own), around = function_around_line(code, line);
  if (!function || !around || function->begin != around->begin || line < own) return false;
  return has_name(statement, size.set);
}

/// What a wrong number of bytes can lead to. With elements of at most the size of a pointer there are too many bytes: a
/// call goes past the end of an array; else there are too few.
bool may_follow_from(const MergedFinding& finding, const PointerSize& size, bool of_allocation) {
  if (size.bytes > kPointerBytes)
    return finding.is_of_output() || finding.id == finding_ids::kUninitializedRead || of_allocation;
  if (of_allocation) return false;
  if (finding.id == finding_ids::kRunnerCrashed) return finding.access.past_end;
  if (finding.id == finding_ids::kRuntimeError) return finding.access.past_end_of != 0;
  return finding.id == finding_ids::kGlobalOutOfBounds && finding.kernel.empty();
}

/// Of a call that has copied too little.
bool may_follow_from_less(const MergedFinding& finding) {
  return finding.is_of_output() || finding.id == finding_ids::kUninitializedRead;
}

/// `past_end`: it was too much; else it is too little.
std::string help_for(const PointerSize& size, bool past_end) {
  const std::string& name = size.pointer.names.front();
  if (!size.symbol.empty()) return fmt::format("write `sizeof({})`, the size of the variable itself", size.symbol);
  if (!size.extent.empty() && !past_end) return fmt::format("write `{} * sizeof({})`", size.extent, size.element);
  if (size.whole && !past_end)
    return fmt::format("write the number of elements times `sizeof({})`, or times `sizeof(*{})`", size.element, name);
  return fmt::format("write `sizeof({})` or `sizeof(*{})`", size.element, name);
}

/// Where the size is written in brackets without spaces.
std::optional<ProposedChange> change_of(const PointerSize& size, std::string after) {
  const std::string& name = size.pointer.names.front();
  if (size.text != fmt::format("sizeof({})", name)) return std::nullopt;
  const auto before = static_cast<std::uint32_t>(std::string_view("sizeof(").size());
  return ProposedChange{size.pointer.line, size.pointer.column - before, size.text, std::move(after)};
}

void show_pointer_size(MergedFinding& finding, const PointerSize& size, std::uint32_t taking) {
  const bool past_end = !size.whole || !may_follow_from_less(finding);
  const SourcePlace place{finding.where.file, size.pointer.line, size.pointer.column};
  const std::string& name = size.pointer.names.front();
  if (finding.where.line != place.line)
    finding.note.insert(0, fmt::format("line {}: {}\n", finding.where.line, finding.message));
  else
    finding.note.insert(0, finding.message + "\n");
  finding.message =
      fmt::format("`{}` is a pointer: `{}` is the size of an address, {} bytes, and not that of an element", name,
                  size.text, kPointerBytes);
  if (size.whole && !past_end) {
    finding.message =
        fmt::format("`{}` is a pointer: `{}` is the size of an address, {} bytes, and not that of the array", name,
                    size.text, kPointerBytes);
  } else if (size.bytes != 0) {
    finding.message += fmt::format(", {}", size.bytes);
  }
  if (size.whole && !past_end) {
    finding.other.reset();
  } else if (taking != finding.where.line) {
    finding.note.insert(0, fmt::format("line {} allocates this number of bytes\n", taking));
    finding.other = OtherPlace{"the access that misses the array", finding.where, finding.block, finding.thread};
  } else if (taking != place.line) {
    finding.other = OtherPlace{size.set.empty() ? "this call takes the number of bytes"
                                                : fmt::format("`{}` is the number of bytes here", size.set),
                               finding.where,
                               {},
                               {}};
  }
  finding.where = place;
  finding.kernel.clear();
  finding.block.reset();
  finding.thread.reset();
  finding.count = 1;
  finding.help = help_for(size, past_end);
  if (!size.symbol.empty()) finding.proposed = change_of(size, fmt::format("sizeof({})", size.symbol));
  if (size.whole && past_end) finding.proposed = change_of(size, fmt::format("sizeof(*{})", name));
}

}  // namespace

std::vector<PointerSize> pointer_sizes(std::string_view code) {
  std::vector<PointerSize> found;
  if (has_pointers_to_pointers(code)) return found;
  const std::vector<FunctionBody> functions = function_bodies(code);
  const TypeNames of_templates = types_of_templates(code);
  std::size_t left = kMostSizes;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != "sizeof" || left == 0) return;
    const auto operand = operand_of(code, at + word.size());
    if (!operand) return;
    const std::string_view text = code.substr(at, operand->end - at),
                           name = code.substr(operand->name, end_of_word(code, operand->name) - operand->name);
    const bool multiplied = is_multiplied(code, at, operand->end);
    const auto whole = multiplied ? std::nullopt : call_that_takes(code, text, name);
    if (!multiplied && !whole) return;
    const FunctionBody* const function = function_at(functions, at);
    if (function == nullptr) return;
    --left;
    const auto element = element_of(declared_pointee(code, *function, name, of_templates), of_templates);
    if (!element) return;
    PointerSize size{setting_at_place(code, operand->name, name), std::string(text), element->type, element->bytes,
                     whole ? std::string() : set_by_statement(code, at)};
    if (whole) {
      size.whole = true;
      size.fills = whole->name.starts_with("cudaMemset");
      size.extent = extent_of_parameter(*function, name);
      if (whole->name.find("ToSymbol") != kNowhere) size.symbol = whole->arguments.front();
      if (size.extent == std::to_string(kPointerBytes / std::max(size.bytes, 1U))) return;
    }
    found.push_back(std::move(size));
  });
  return found;
}

void show_pointer_sizes(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  const auto may_follow = [&](const MergedFinding& finding) {
    return std::ranges::find(kOfSizes, finding.id) != kOfSizes.end() && !finding.proven && finding.is_in_file(file);
  };
  if (std::ranges::none_of(findings, may_follow) || source.find("sizeof") == kNowhere) return;
  const std::string code = without_comments(source);
  const std::vector<PointerSize> sizes = pointer_sizes(code);
  if (sizes.empty()) return;
  for (MergedFinding& finding : findings) {
    if (!may_follow(finding)) continue;
    const bool allocated = finding.other && finding.other->role == PlaceRole::allocation &&
                           finding.other->place.file == finding.where.file;
    const bool first = &finding == &findings.front() && may_follow_from_less(finding);
    const std::uint32_t own = finding.where.line, allocation = allocated ? finding.other->place.line : 0;
    for (const PointerSize& size : sizes) {
      const bool here = may_follow_from(finding, size, false) && takes(code, own, size);
      const bool there = !here && allocated && may_follow_from(finding, size, true) && takes(code, allocation, size);
      const bool copies_less = first && size.whole && !size.fills;
      if (!here && !there && !copies_less) continue;
      show_pointer_size(finding, size, there ? allocation : copies_less ? size.pointer.line : own);
      break;
    }
  }
}

}  // namespace cudalabs
