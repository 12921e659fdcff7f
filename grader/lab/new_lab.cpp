// The files of a new lab, from the templates in grader/lab/new_lab/, which are part of the program.
#include "lab/new_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <span>
#include <utility>

#include "lab/lab.h"
#include "lab/new_lab_templates.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// What the templates leave open.
struct Names {
  std::string id, name, title;  // "lab7", "dot_product", "Dot product"
};

std::string filled(std::string_view text, const Names& names) {
  const std::array<std::pair<std::string_view, std::string>, 4> places{{{"@ID@", names.id},
                                                                        {"@NAME@", names.name},
                                                                        {"@TITLE@", names.title},
                                                                        {"@HEADING@", names.id + ": " + names.title}}};
  std::string result(text);
  for (const auto& [place, value] : places) {
    for (std::size_t at = result.find(place); at != std::string::npos; at = result.find(place, at + value.size()))
      result.replace(at, place.size(), value);
  }
  return result;
}

/// Lower-case letters, digits and underscores; a letter first.
bool is_plain(std::string_view text) {
  return !text.empty() && std::islower(static_cast<unsigned char>(text[0])) &&
         std::ranges::all_of(text, [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '_'; });
}

Names names_of(const std::string& slug) {
  const std::size_t end = std::min(slug.find('_'), slug.size());
  Names names{slug.substr(0, end), slug.substr(std::min(end + 1, slug.size())), {}};
  if (!is_plain(names.id) || !is_plain(names.name)) {
    throw LabError(fmt::format(
        "\"{}\" cannot be a lab's folder: it must be an id, _ and a name, of a-z, 0-9 and _, such as \"lab7_saxpy\"",
        slug));
  }
  names.title = names.name;
  std::ranges::replace(names.title, '_', ' ');
  names.title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(names.title[0])));
  return names;
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  if (!(stream << text).flush()) throw LabError(fmt::format("{}: cannot be written", file.string()));
}

}  // namespace

std::vector<fs::path> write_new_lab(const fs::path& root, const std::string& slug) {
  const Names names = names_of(slug);
  const fs::path lab = root / "labs" / slug, mirror = root / "solutions" / slug;
  for (const fs::path& folder : {lab, mirror}) {
    if (fs::exists(fs::symlink_status(folder))) throw LabError(fmt::format("{}: is there already", folder.string()));
  }
  for (const fs::path& other : find_labs(root / "labs")) {
    if (other.filename().string().starts_with(names.id + "_"))
      throw LabError(fmt::format("{}: has the id \"{}\" already", other.string(), names.id));
  }
  const std::array<std::pair<fs::path, std::string_view>, 10> files{
      {{lab / "lab.toml", new_lab::kLab},
       {lab / "README.md", new_lab::kHandout},
       {lab / "hints.md", new_lab::kHints},
       {lab / (names.name + ".h"), new_lab::kContract},
       {lab / (names.name + ".cu"), new_lab::kSkeleton},
       {lab / "runner.cpp", new_lab::kRunner},
       {mirror / (names.name + ".cu"), new_lab::kSolution},
       {mirror / "hidden.toml", new_lab::kHidden},
       {mirror / "wrong" / "guard_one_too_many.cu", new_lab::kWrong},
       {mirror / "alternative" / "grid_stride.cu", new_lab::kAlternative}}};
  std::vector<fs::path> written;
  for (const auto& [file, text] : files) {
    write(file, filled(text, names));
    written.push_back(file);
  }
  return written;
}

}  // namespace cudalabs
