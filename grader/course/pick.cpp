// Which of the files that a student handed in is the submission.
#include "course/pick.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "course/entry_path.h"
#include "text/lower_case.h"

namespace cudalabs::course {
namespace {

using Files = std::vector<const HandedFile*>;

/// The lab that a folder on the way to the file is named after; null when none is.
const Lab* lab_of(const HandedFile& file, const std::vector<Lab>& labs) {
  for (std::size_t i = 0; i + 1 < file.path.size(); ++i) {
    const auto found = std::ranges::find_if(labs, [&](const Lab& lab) { return names_lab(file.path[i], lab); });
    if (found != labs.end()) return &*found;
  }
  return nullptr;
}

/// The number of a copy: of "matmul (2).cu", "matmul(2).cu", "matmul-2.cu" and "matmul_2.cu" 2, of "Matmul.cu",
/// "matmul.cu.txt" and "matmul copy.cu" 0. Nothing when `name` is none of `source`.
std::optional<unsigned> copy_number(std::string_view name, const std::string& source) {
  std::string small = lower(name);
  if (small.ends_with(".txt")) small.resize(small.size() - 4);
  const std::size_t dot = source.rfind('.');
  const std::string stem = lower(source.substr(0, dot)), ending = lower(source.substr(dot));
  if (!small.starts_with(stem) || !small.ends_with(ending) || small.size() < stem.size() + ending.size())
    return std::nullopt;
  std::string_view middle(small);
  middle.remove_prefix(stem.size());
  middle.remove_suffix(ending.size());
  if (middle.empty() || middle == " copy" || middle == " - copy" || middle == "_copy") return 0;
  const std::size_t digit = middle.find_first_of("0123456789");
  const bool opened = middle.find_first_not_of(" (-_") == digit && digit != 0;
  unsigned number = 0;
  if (digit == std::string_view::npos || !opened) return std::nullopt;
  const auto [end, error] = std::from_chars(middle.data() + digit, middle.data() + middle.size(), number);
  const std::string_view after(end, static_cast<std::size_t>(middle.data() + middle.size() - end));
  if (error != std::errc() || !(after.empty() || after == ")")) return std::nullopt;
  return number;
}

std::string shown(const Files& files) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(files.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + joined(files[i]->path);
  }
  if (files.size() > kMost) text += fmt::format(", and {} more", files.size() - kMost);
  return text;
}

/// One of files that are equal, or the problem that they are not.
Picked only_one(const Files& files, const std::string& what) {
  const bool equal =
      std::ranges::all_of(files, [&](const HandedFile* file) { return file->file->bytes == files[0]->file->bytes; });
  if (equal) return {files[0], "", ""};
  return {nullptr, "", fmt::format("there is more than one {}: {}", what, shown(files))};
}

Files with_ending(const Files& files, std::initializer_list<std::string_view> endings) {
  Files found;
  for (const HandedFile* file : files) {
    const std::string name = lower(file->path.back());
    if (std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); }))
      found.push_back(file);
  }
  return found;
}

Picked pick_copy(const Files& files, const std::string& source) {
  Files best;
  unsigned highest = 0;
  for (const HandedFile* file : files) {
    const std::optional<unsigned> number = copy_number(file->path.back(), source);
    if (!number || (*number < highest && !best.empty())) continue;
    if (*number > highest) best.clear();
    highest = *number;
    best.push_back(file);
  }
  if (best.empty()) return {};
  return only_one(best, source);
}

Picked pick_by_name(const Files& files, const std::string& source) {
  Files exact;
  for (const HandedFile* file : files) {
    if (file->path.back() == source) exact.push_back(file);
  }
  if (exact.empty()) return pick_copy(files, source);
  Picked copy = pick_copy(files, source);
  // A system that keeps what was handed in before gives the later file a number.
  if (copy.file != nullptr && copy_number(copy.file->path.back(), source) > 0u) return copy;
  return only_one(exact, source);
}

}  // namespace

bool names_lab(std::string_view folder, const Lab& lab) {
  const std::string name = lower(folder);
  return name == lab.id || name == lab.slug;
}

Picked pick(const HandIn& hand_in, const Lab& lab, const std::vector<Lab>& labs) {
  Files own, others;
  for (const HandedFile& file : hand_in.files) {
    const Lab* named = lab_of(file, labs);
    if (named != nullptr && named->id == lab.id) own.push_back(&file);
    if (named == nullptr) others.push_back(&file);
  }
  const bool in_folder = !own.empty();
  const Files& files = in_folder ? own : others;
  Files sources;
  for (const HandedFile* file : files) {
    if (file->file->kept) sources.push_back(file);
  }
  const std::string& source = lab.contract.source;
  Picked picked = pick_by_name(sources, source);
  const bool by_name = picked.file != nullptr || !picked.problem.empty();
  // Of several labs handed in together, any file could be any lab's.
  if (!by_name && (labs.size() == 1 || in_folder)) {
    const Files cuda = with_ending(sources, {".cu", ".cu.txt"});
    const Files rest = with_ending(sources, {".cpp", ".cc", ".cxx", ".c", ".txt"});
    if (!cuda.empty()) {
      picked = only_one(cuda, "file that could be meant");
    } else if (!rest.empty()) {
      picked = only_one(rest, "file that could be meant");
    } else if (!files.empty()) {
      picked.problem = fmt::format("there is no {} among what was handed in: {}", source, shown(files));
    }
  }
  if (picked.file != nullptr && picked.file->path.back() != source)
    picked.note = fmt::format("taken for {}: {}", source, joined(picked.file->path));
  return picked;
}

}  // namespace cudalabs::course
