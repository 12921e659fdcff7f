// A cast takes the one operand behind it: the division comes after it, and divides what was left.
#include "explain/values/early_cast.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "check/origin_place.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::size_t kLongestOperand = 400, kLongestAlias = 100;

/// "std::uint8_t" -> "uint8_t", "const unsigned  char" -> "unsigned char".
std::string plain_type(std::string_view text) {
  std::string type;
  for_each_name(text, [&](std::size_t, std::string_view word) {
    if (word == "const" || word == "std" || word == "constexpr") return;
    if (!type.empty()) type += ' ';
    type += word;
  });
  return type;
}

bool is_byte(std::string_view type) {
  constexpr std::array<std::string_view, 7> kBytes{"unsigned char", "char",  "signed char", "uint8_t",
                                                   "int8_t",        "uchar", "u_char"};
  return std::ranges::find(kBytes, type) != kBytes.end();
}

/// The source's own names for types of 8 bits.
std::set<std::string> byte_names(std::string_view code) {
  std::set<std::string> names;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != "typedef" && word != "using") return;
    const std::size_t begin = past_spaces(code, at + word.size());
    const std::size_t end = code.substr(0, begin + kLongestAlias).find(';', begin);
    if (end == kNowhere) return;
    const std::string_view text = code.substr(begin, end - begin);
    if (word == "using") {
      const std::size_t sign = text.find('=');
      if (sign != kNowhere && is_byte(plain_type(text.substr(sign + 1))))
        names.insert(plain_type(text.substr(0, sign)));
      return;
    }
    const std::string_view name = word_before(text, text.size());
    const auto of_type = static_cast<std::size_t>(name.data() - text.data());
    if (!name.empty() && is_byte(plain_type(text.substr(0, of_type)))) names.insert(std::string(name));
  });
  return names;
}

/// What stands before the operand in brackets at `open`, where it may be a cast: "(T)", "static_cast<T>", "T". Empty:
/// something else does. `begin`: where it begins.
std::string_view cast_before(std::string_view code, std::size_t open, std::size_t& begin) {
  const std::size_t last = before_spaces(code, open);
  if (last == kNowhere) return {};
  constexpr std::size_t kLongestType = 40;
  const std::size_t from = last > kLongestType ? last - kLongestType : 0;
  const char opens = code[last] == ')' ? '(' : code[last] == '>' ? '<' : '\0';
  if (opens == '\0') {
    const std::string_view word = word_before(code, open);
    if (!word.empty()) begin = static_cast<std::size_t>(word.data() - code.data());
    return word;
  }
  const std::size_t at = code.rfind(opens, last);
  if (at == kNowhere || at < from) return {};
  begin = at;
  if (opens == '<') {
    const std::string_view word = word_before(code, at);
    if (word != "static_cast") return {};
    begin = static_cast<std::size_t>(word.data() - code.data());
  }
  return code.substr(at + 1, last - at - 1);
}

/// "256" of "/ 256", "SHIFT" of ">> SHIFT"; empty: something else follows.
std::string_view divisor_behind(std::string_view code, std::size_t end, bool& shifts) {
  const std::size_t sign = past_spaces(code, end);
  const std::string_view text = code.substr(std::min(sign, code.size()));
  shifts = text.starts_with(">>") && !text.starts_with(">>>") && !text.starts_with(">>=");
  if (!shifts && (!text.starts_with('/') || text.starts_with("/="))) return {};
  const std::size_t at = past_spaces(code, sign + (shifts ? 2 : 1));
  return code.substr(at, end_of_word(code, at) - at);
}

}  // namespace

std::optional<EarlyCast> only_early_cast(std::string_view source) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  const std::set<std::string> names = byte_names(code);
  std::optional<EarlyCast> found;
  for (std::size_t open = code.find('('); open != std::string::npos; open = code.find('(', open + 1)) {
    if (!bodies[open].device) continue;
    std::size_t begin = open;
    const std::string type = plain_type(cast_before(code, open, begin));
    if (type.empty() || (!is_byte(type) && !names.contains(type))) continue;
    const std::string_view near = std::string_view(code).substr(0, open + kLongestOperand);
    const std::size_t end = past_bracket(near, open);
    if (end == kNowhere) continue;
    bool shifts = false;
    const std::string_view divisor = divisor_behind(code, end, shifts);
    if (divisor.empty()) continue;
    if (found) return std::nullopt;
    const Setting place = setting_at_place(code, begin, type);
    found = EarlyCast{type, std::string(divisor), place.line, place.column, shifts};
  }
  return found;
}

void show_early_casts(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  const auto is_meant = [&](const MergedFinding& finding) {
    return finding.is_of_values() && !finding.proven && finding.where.known() && finding.is_in_file(file);
  };
  if (std::ranges::none_of(findings, is_meant)) return;
  const auto cast = only_early_cast(source);
  if (!cast) return;
  for (MergedFinding& finding : findings) {
    const bool stored = finding.where.line == cast->line;
    const bool beside = finding.other && finding.other->place.line == cast->line;
    // A cast that the value does not pass may be right.
    if (!is_meant(finding) || (!stored && !beside)) continue;
    if (!stored) finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
    finding.where = {finding.where.file, cast->line, cast->column};
    finding.help = fmt::format(
        "the cast to `{0}` comes before `{1} {2}` in line {3}: it keeps the last 8 bits of the value, and only these "
        "are {4}; put the {5} into the brackets of the cast",
        cast->type, cast->shifts ? ">>" : "/", cast->divisor, cast->line, cast->shifts ? "shifted" : "divided",
        cast->shifts ? "shift" : "division");
  }
}

}  // namespace cudalabs
