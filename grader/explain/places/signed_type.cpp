// Words that are types are looked for, and where in the text they stand.
#include "explain/places/signed_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "check/origin_place.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "char3": a vector of signed bytes.
bool is_vector_of_bytes(std::string_view name) {
  return name.size() == 5 && name.starts_with("char") && name[4] >= '1' && name[4] <= '4';
}

bool is_signed_byte(std::string_view code, std::size_t at, std::string_view name) {
  return name == "int8_t" || is_vector_of_bytes(name) || (name == "char" && word_before(code, at) != "unsigned");
}

/// In "reinterpret_cast<const char*>(" and "(char*)": the type of a cast to a pointer.
bool is_cast_to(std::string_view code, std::size_t at, std::string_view name) {
  const std::size_t star = past_spaces(code, at + name.size());
  const std::size_t close = star < code.size() && code[star] == '*' ? past_spaces(code, star + 1) : code.size();
  if (close >= code.size() || (code[close] != '>' && code[close] != ')')) return false;
  std::size_t begin = at;
  for (std::string_view word = word_before(code, begin); word == "const" || word == "signed";
       word = word_before(code, begin))
    begin = static_cast<std::size_t>(word.data() - code.data());
  const std::size_t open = before_spaces(code, begin);
  if (open == kNowhere) return false;
  const std::size_t behind = past_spaces(code, close + 1);
  if (code[open] == '<') return word_before(code, open) == "reinterpret_cast";
  // "sizeof(char*)" and "f(char*)" cast nothing.
  return code[open] == '(' && code[close] == ')' && word_before(code, open).empty() && behind < code.size() &&
         (is_word_letter(code[behind]) || code[behind] == '(');
}

/// A function's head in which "__global__" or "__device__" stands, from there up to its body; places of the text.
class DeviceHeads {
 public:
  explicit DeviceHeads(std::string_view code) {
    for_each_name(code, [&](std::size_t at, std::string_view name) {
      const bool begins = name == "__global__" || name == "__device__";
      if (!begins || (!heads_.empty() && at < heads_.back().second)) return;
      heads_.emplace_back(at, std::min(code.find_first_of("{;", at), code.size()));
    });
  }

  /// Where the head begins that has the place.
  std::optional<std::size_t> around(std::size_t at) const {
    const auto behind = std::ranges::upper_bound(heads_, at, {}, [](const auto& head) { return head.first; });
    if (behind == heads_.begin() || at >= std::prev(behind)->second) return std::nullopt;
    return std::prev(behind)->first;
  }

 private:
  std::vector<std::pair<std::size_t, std::size_t>> heads_;
};

}  // namespace

std::optional<Setting> only_signed_char(std::string_view source) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  std::optional<Setting> found;
  for (const std::string_view line : text_lines(code)) {
    const auto begin = static_cast<std::size_t>(line.data() - code.data());
    std::size_t here = kNowhere;
    std::string_view type;
    for_each_name(line, [&](std::size_t at, std::string_view name) {
      const bool is_signed = name == "int8_t" || (name == "char" && word_before(line, at) != "unsigned");
      if (!is_signed || here != kNowhere || !bodies[begin + at].device) return;
      here = begin + at;
      type = name;
    });
    if (here == kNowhere) continue;
    if (found) return std::nullopt;
    found = setting_at_place(code, here, type);
  }
  return found;
}

std::optional<SignedType> only_signed_type(std::string_view source) {
  const std::string text = without_comments(source);
  const std::string_view code = text;
  const std::vector<BodyPlace> bodies = body_places(code);
  const DeviceHeads heads(code);
  struct Place {
    std::size_t at = 0;
    std::string spelling;
    bool device = false;
  };
  std::vector<Place> places;
  bool several = false;
  std::size_t lines = 0, end_of_line = 0;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (several || !is_signed_byte(code, at, name)) return;
    const auto head = heads.around(at);
    const bool device = bodies[at].device || head;
    if (!device && name == "char" && !is_cast_to(code, at, name)) return;
    // A function of the device may take a text.
    const std::size_t behind = past_spaces(code, at + name.size());
    const bool points = name == "char" && behind < code.size() && code[behind] == '*';
    if (head && points && !code.substr(*head).starts_with("__global__")) return;
    const bool says_signed = name == "char" && word_before(code, at) == "signed";
    std::string spelling = says_signed ? "signed char" : std::string(name);
    several = !places.empty() && spelling != places.front().spelling;
    if (at < end_of_line) return;
    end_of_line = std::min(code.find('\n', at), code.size());
    several = several || ++lines > 2;
    places.push_back({at, std::move(spelling), device});
  });
  if (several || places.empty()) return std::nullopt;
  if (places.size() == 2 && places[1].device && !places[0].device) std::swap(places[0], places[1]);
  const std::string& spelling = places.front().spelling;
  const bool plain = spelling.ends_with("char");
  return SignedType{spelling, plain ? "unsigned char" : fmt::format("u{}", spelling),
                    setting_at_place(code, places[0].at, spelling),
                    places.size() == 2 ? line_at(code, places[1].at) : 0};
}

void show_signed_type(MergedFinding& finding, std::string_view source) {
  const auto in_device = only_signed_char(source);
  const auto type = only_signed_type(source);
  if (!in_device && !type) return;
  const Setting& line = type ? type->first : *in_device;
  finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
  finding.where = {finding.where.file, line.line, line.column};
  // What the lab says names the plain types.
  if (!type || (type->other == 0 && !is_vector_of_bytes(type->spelling))) return;
  const std::string there = type->other == 0 ? std::string() : fmt::format(" and in line {}", type->other);
  finding.help = fmt::format("a colour is 0 to 255, and {} `{}` {} from -128 to 127: write `{}` in its place, here{}",
                             is_vector_of_bytes(type->spelling) ? "each member of a" : "a", type->spelling,
                             is_vector_of_bytes(type->spelling) ? "is" : "holds numbers", type->instead, there);
}

}  // namespace cudalabs
