// What the name of a folder or file says of whose it is.
#include "course/owner_name.h"

#include <algorithm>
#include <cctype>

#include "text/lower_case.h"

namespace cudalabs::course {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string_view take_part(std::string_view& text) {
  const std::string_view part = text.substr(0, text.find('_'));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

OwnerName parse_moodle(std::string_view name) {
  constexpr std::string_view kMark = "_assignsubmission_";
  const std::size_t mark = name.find(kMark);
  if (mark == std::string_view::npos) return {};
  const std::string_view whose = name.substr(0, mark);
  const std::size_t split = whose.rfind('_');
  if (split == std::string_view::npos || split == 0 || !is_number(whose.substr(split + 1))) return {};
  std::string_view rest = name.substr(mark + kMark.size());
  take_part(rest);  // "file", "onlinetext"
  return {{.ids = {},
           .number = {std::string(whose.substr(split + 1)), System::moodle},
           .name = std::string(whose.substr(0, split)),
           .guesses = {}},
          std::string(rest),
          false,
          true};
}

OwnerName parse_canvas(std::string_view name) {
  const std::string_view person = take_part(name);
  std::string_view part = take_part(name);
  const bool late = part == "LATE" || part == "late";
  if (late) part = take_part(name);
  const std::string_view upload = take_part(name);
  if (person.empty() || !is_number(part) || !is_number(upload) || name.empty()) return {};
  return {{.ids = {}, .number = {std::string(part), System::canvas}, .name = std::string(person), .guesses = {}},
          std::string(name),
          late,
          true};
}

bool is_separator(char c) {
  return c == '_' || c == '-' || c == '.' || c == ' ';
}

}  // namespace

OwnerName parse_system_name(std::string_view name) {
  OwnerName moodle = parse_moodle(name);
  return moodle.of_system ? moodle : parse_canvas(name);
}

std::string without_stems(std::string_view name, const std::vector<std::string>& file_stems) {
  std::string_view owner = name;
  for (bool again = true; again;) {
    again = false;
    const std::string small = lower(owner);
    for (const std::string& stem : file_stems) {
      if (small == lower(stem)) return "";
      if (small.size() < stem.size() + 2) continue;
      const std::size_t rest = small.size() - stem.size();
      if (small.starts_with(lower(stem)) && is_separator(small[stem.size()])) {
        owner.remove_prefix(stem.size() + 1);
      } else if (small.ends_with(lower(stem)) && is_separator(small[rest - 1])) {
        owner.remove_suffix(stem.size() + 1);
      } else {
        continue;
      }
      again = true;
      break;
    }
  }
  return std::string(owner);
}

std::string owner_of_flat_file(std::string_view name, const std::vector<std::string>& file_stems) {
  std::string_view owner = name.substr(0, name.find_last_of('.'));
  if (lower(owner).ends_with(".cu")) owner.remove_suffix(3);  // "s123.cu.txt"
  return without_stems(owner, file_stems);
}

}  // namespace cudalabs::course
