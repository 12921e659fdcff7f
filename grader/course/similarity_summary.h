// What the class's page says of who is alike in a lab: kept beside the pages, written by `grade class similar`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cudalabs::course {

struct SimilaritySummary {
  std::string lab;  // its id
  std::size_t students = 0, files = 0, pairs = 0;
  std::int64_t made = 0;                         // seconds since 1970
  std::vector<std::vector<std::string>> groups;  // ids of students whose files are alike or equal
};

/// "lab3: 5 files compared, 0 pairs of different files alike, 1 group". Equal files are no pair, and make a group.
std::string shown(const SimilaritySummary& summary);

/// The folder of a lab's pages: `folder`/similar/LAB.
std::filesystem::path similarity_folder(const std::filesystem::path& folder, const std::string& lab);

/// Throws std::runtime_error naming the file.
void write_summary(const std::filesystem::path& folder, const SimilaritySummary& summary);

/// As it was written last; nothing when there is none that can be read.
std::optional<SimilaritySummary> read_summary(const std::filesystem::path& folder, const std::string& lab);

}  // namespace cudalabs::course
