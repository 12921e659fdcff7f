// A folder that is removed with the object that made it.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace cudalabs::sandbox {

class TemporaryFolder {
 public:
  /// In the system's folder for temporary files, with `purpose` in its name. Throws std::system_error.
  explicit TemporaryFolder(std::string_view purpose = "test") {
    std::string name = std::filesystem::temp_directory_path() / ("cudalabs-" + std::string(purpose) + "-XXXXXX");
    if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Writes PATH/name, with the folders it needs; its path. Throws std::system_error.
  std::filesystem::path write(const std::filesystem::path& name, std::string_view text) const {
    std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    if (!(stream << text).flush()) throw std::system_error(errno, std::generic_category(), file);
    return file;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace cudalabs::sandbox
