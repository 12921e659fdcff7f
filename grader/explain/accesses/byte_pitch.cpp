#include "explain/accesses/byte_pitch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "source/function_text.h"
#include "source/launch_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/lower_case.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read.
constexpr std::size_t kMostPitches = 64, kLongestKernel = 20'000;

bool is_called_pitch(std::string_view name) {
  return lower(name).find("pitch") != std::string::npos;
}

bool is_of_bytes(std::string_view text) {
  constexpr std::array<std::string_view, 7> kBytes{"char", "byte", "uint8_t", "int8_t", "uchar", "void", "sizeof"};
  return std::ranges::any_of(kBytes, [&](std::string_view type) { return has_name(text, type); });
}

/// Some place computes elements of it.
bool divides_pitch(std::string_view code) {
  bool divides = false;
  for (std::size_t at = code.find_first_of("/>"); at != kNowhere && !divides; at = code.find_first_of("/>", at + 1)) {
    if (code[at] == '>' && !code.substr(at).starts_with(">>")) continue;
    std::size_t before = before_spaces(code, at);
    while (before != kNowhere && before > 0 && (code[before] == ')' || code[before] == '(')) --before;
    divides = before != kNowhere && is_called_pitch(word_before(code, before + 1));
  }
  return divides;
}

/// Pointers to elements: parameters, and variables of the common types.
std::set<std::string> pointers_of(std::string_view body, const std::vector<std::string>& parameters) {
  std::set<std::string> pointers;
  for (const std::string& each : parameters)
    if (each.find('*') != std::string::npos && !is_of_bytes(each)) pointers.insert(parameter_name(each));
  constexpr std::array<std::string_view, 5> kTypes{"float", "double", "int", "unsigned", "T"};
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    std::size_t name = past_spaces(body, at + word.size());
    if (std::ranges::find(kTypes, word) == kTypes.end() || name >= body.size() || body[name] != '*') return;
    name = past_spaces(body, name + 1);
    pointers.emplace(body.substr(name, end_of_word(body, name) - name));
  });
  return pointers;
}

/// Names that the text declares as pointers to elements of the common types, and never as pointers to bytes: those of
/// members are among them.
std::set<std::string_view> declared_pointers(std::string_view code) {
  constexpr std::array<std::string_view, 5> kTypes{"float", "double", "int", "unsigned", "T"};
  std::set<std::string_view> elements, others;
  for (std::size_t star = code.find('*'); star != kNowhere; star = code.find('*', star + 1)) {
    const std::string_view type = word_before(code, star);
    const std::size_t name = past_spaces(code, star + 1), end = end_of_word(code, name), next = past_spaces(code, end);
    if (type.empty() || name == end || next >= code.size() || std::string_view("=;{,)").find(code[next]) == kNowhere)
      continue;
    const bool common = std::ranges::find(kTypes, type) != kTypes.end();
    (common ? elements : others).insert(code.substr(name, end - name));
  }
  std::erase_if(elements, [&](std::string_view name) { return others.contains(name); });
  return elements;
}

struct ElementPointers {
  std::set<std::string> variables;     // of the function
  std::set<std::string_view> members;  // of any structure
};

/// One of them, or the member `ptr` of a `cudaPitchedPtr`, stands there with a sum or a subscript.
bool adds_to_pointer(std::string_view text, const ElementPointers& pointers) {
  bool adds = false;
  const auto look = [&](std::size_t end) {
    std::size_t at = past_spaces(text, end);
    while (at < text.size() && text[at] == ')') at = past_spaces(text, at + 1);
    adds = adds || (at < text.size() && (text[at] == '+' || text[at] == '['));
  };
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    if (pointers.variables.contains(std::string(name))) look(at + name.size());
  });
  for (std::size_t at = text.find_first_of(".>"); at != kNowhere; at = text.find_first_of(".>", at + 1)) {
    const bool is_access = text[at] == '.' || (at > 0 && text[at - 1] == '-');
    const std::size_t end = end_of_word(text, at + 1);
    const std::string_view member = text.substr(at + 1, end - at - 1);
    if (is_access && (member == "ptr" || pointers.members.contains(member))) look(end);
  }
  return adds;
}

/// "pitch *", "* pitch", "* p.pitch" and "* p->pitch".
bool is_multiplied(std::string_view text, std::size_t at, std::size_t end) {
  const std::size_t next = past_spaces(text, end);
  if (next < text.size() && text[next] == '*') return true;
  const bool is_of_pointer = at > 2 && text[at - 1] == '>' && text[at - 2] == '-';
  if (is_of_pointer) --at;
  if (is_of_pointer || (at > 1 && text[at - 1] == '.'))
    for (--at; at > 0 && is_word_letter(text[at - 1]);) --at;
  const std::size_t before = before_spaces(text, at);
  return before != kNowhere && text[before] == '*';
}

bool is_allocated_in(std::string_view code, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(code);
  return line != 0 && line <= lines.size() &&
         (has_name(lines[line - 1], "cudaMallocPitch") || has_name(lines[line - 1], "cudaMalloc3D"));
}

/// Parameters of the kernel that are a pitch to who launches it.
std::set<std::string> given_pitches(std::string_view code, const FunctionBody& function, const std::string& kernel) {
  std::set<std::string> names;
  const auto launch = function.name == plain_name(kernel) ? only_launch(code, function.name) : std::nullopt;
  if (!launch) return names;
  for (std::size_t i = 0; i < std::min(launch->arguments.size(), function.parameters.size()); ++i) {
    const bool is_pointer = function.parameters[i].find_first_of("*P") != std::string::npos;
    if (is_called_pitch(launch->arguments[i]) && !is_pointer) names.insert(parameter_name(function.parameters[i]));
  }
  return names;
}

/// In that function.
std::optional<Setting> pitch_in(std::string_view code, const FunctionBody& function, const std::string& kernel,
                                const std::set<std::string_view>& members) {
  const std::string_view body = code.substr(function.begin, function.end - function.begin);
  const std::set<std::string> given = given_pitches(code, function, kernel);
  const ElementPointers pointers{pointers_of(body, function.parameters), members};
  std::size_t looked_at = 0;
  for (std::size_t at = 0; at < body.size() && looked_at < kMostPitches;) {
    const std::size_t end = is_word_letter(body[at]) ? end_of_word(body, at) : at + 1;
    const std::string_view name = body.substr(at, end - at);
    const std::size_t place = std::exchange(at, end);
    if (!is_word_letter(name.front()) || (!is_called_pitch(name) && !given.contains(std::string(name)))) continue;
    ++looked_at;
    const std::string_view statement = statement_around(body, place);
    if (statement.empty() || is_of_bytes(statement) || !is_multiplied(body, place, end)) continue;
    const auto begin = static_cast<std::size_t>(statement.data() - body.data());
    if (begin < place && adds_to_pointer(statement.substr(0, place - begin), pointers))
      return setting_at_place(code, function.begin + place, name);
  }
  return std::nullopt;
}

/// Functions of the source that this one calls, each defined once.
std::vector<FunctionBody> helpers_of(std::string_view code, const FunctionBody& function) {
  constexpr std::size_t kMostHelpers = 8;
  std::set<std::string_view> called;
  for_each_name(code.substr(function.begin, function.end - function.begin), [&](std::size_t at, std::string_view name) {
    const std::size_t open = past_spaces(code, function.begin + at + name.size());
    if (open < code.size() && code[open] == '(' && called.size() < kMostHelpers) called.insert(name);
  });
  std::vector<FunctionBody> helpers;
  for (const std::string_view name : called) {
    auto body = only_body(code, name);
    if (body && body->end - body->begin <= kLongestKernel) helpers.push_back(std::move(*body));
  }
  return helpers;
}

}  // namespace

std::optional<Setting> pitch_as_elements(std::string_view code, const std::string& kernel, std::uint32_t line) {
  const auto function = function_around_line(code, line);
  if (!function || function->end - function->begin > kLongestKernel || divides_pitch(code)) return std::nullopt;
  const std::set<std::string_view> members = declared_pointers(code);
  if (auto own = pitch_in(code, *function, kernel, members)) return own;
  for (const FunctionBody& helper : helpers_of(code, *function))
    if (auto found = pitch_in(code, helper, kernel, members)) return found;
  return std::nullopt;
}

void show_byte_pitches(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for (MergedFinding& finding : findings) {
    const bool open = finding.id == finding_ids::kGlobalOutOfBounds && finding.is_in_file(file) && finding.other &&
                      finding.other->role == PlaceRole::allocation && finding.launch.argument == 0 &&
                      finding.other->place.file == finding.where.file;
    if (!open) continue;
    const std::string code = without_comments(source);
    const std::uint32_t allocated = finding.other->place.line;
    const auto pitch =
        is_allocated_in(code, allocated) ? pitch_as_elements(code, finding.kernel, finding.where.line) : std::nullopt;
    if (!pitch) continue;
    const std::string& name = pitch->names.front();
    finding.help = fmt::format(
        "`{}` counts bytes, and what is added to a pointer counts elements: add it to a `char*`, and cast the sum to "
        "the type of the elements",
        name);
    if (pitch->line == finding.where.line) continue;
    finding.note.insert(0, fmt::format("the memory is allocated in line {}\n", allocated));
    finding.other = OtherPlace{
        fmt::format("here `{}` counts elements", name), {finding.where.file, pitch->line, pitch->column}, {}, {}};
  }
}

}  // namespace cudalabs
