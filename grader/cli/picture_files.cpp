// What went into a case and what came out of it, as PNG files.
#include "cli/picture_files.h"

#include <stdexcept>
#include <system_error>

#include "check/pictures.h"
#include "datasets/png.h"
#include "report/write_file.h"

namespace cudalabs {

namespace fs = std::filesystem;

void PictureFiles::add_file(const fs::path& path, const datasets::Picture& picture) {
  files_.push_back({path, datasets::encode_png(enlarged(picture))});
}

void PictureFiles::add(const CaseRun& case_run, const fs::path& folder) {
  for (const datasets::Array& input : case_run.test.inputs) {
    if (const auto picture = drawn(input)) add_file(folder / (input.name + ".png"), *picture);
  }
  for (const Comparison& comparison : case_run.judged().comparisons) {
    const auto pictures = drawn(comparison);
    if (!pictures) continue;
    const fs::path map = folder / (comparison.name + "_wrong.png");
    add_file(folder / (comparison.name + ".png"), pictures->got);
    add_file(folder / (comparison.name + "_expected.png"), pictures->expected);
    add_file(map, pictures->wrong);
    const std::int64_t pixels = comparison.elements() - comparison.count(Fault::none);
    if (pixels > 0) wrong_.push_back({comparison.name, pixels, comparison.elements(), map});
  }
}

void PictureFiles::write() const {
  for (const File& file : files_) {
    std::error_code error;
    fs::create_directories(file.path.parent_path(), error);
    if (error)
      throw std::runtime_error("cannot make the folder " + file.path.parent_path().string() + ": " + error.message());
    write_file(file.path, file.bytes);
  }
}

}  // namespace cudalabs
