// What went into a case and what came out of it, as PNG files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "check/submission_run.h"
#include "datasets/picture.h"

namespace cudalabs {

/// The files of one or more cases, made but not yet written.
class PictureFiles {
 public:
  /// Adds the pictures of `case_run` to those that go into `folder`: for each input that can be drawn NAME.png, for
  /// each output NAME.png, NAME_expected.png and NAME_wrong.png.
  void add(const CaseRun& case_run, const std::filesystem::path& folder);

  bool empty() const { return files_.empty(); }

  /// Creates the folders and writes the files. Throws std::runtime_error naming a file that cannot be written.
  void write() const;

  /// An output in which pixels are wrong, for people.
  struct Wrong {
    std::string output;
    std::int64_t pixels = 0, of = 0;
    std::filesystem::path map;
  };
  const std::vector<Wrong>& wrong() const { return wrong_; }

 private:
  struct File {
    std::filesystem::path path;
    std::string bytes;
  };
  void add_file(const std::filesystem::path& path, const datasets::Picture& picture);

  std::vector<File> files_;
  std::vector<Wrong> wrong_;
};

/// How the maps are to be read.
inline constexpr const char* kMapLegend =
    "in a map red pixels are wrong, blue ones were never written, violet ones are NaN or infinite, pale ones are right";

}  // namespace cudalabs
