// Waits for a file to be saved, however its editor does that.
#pragma once

#include <filesystem>

#include "sandbox/fd.h"

namespace cudalabs {

/// Sees writes to the file and files moved onto its name, also when the editor replaces it at every save.
class FileWatch {
 public:
  /// Throws std::system_error when the file's folder cannot be watched.
  explicit FileWatch(const std::filesystem::path& file);

  /// Becomes readable when something happened in the folder: call `saved` then.
  int descriptor() const { return notifications_.get(); }
  /// Takes what has happened so far; true when the file was saved. Does not wait.
  bool saved();

 private:
  std::string name_;
  sandbox::Fd notifications_;
};

}  // namespace cudalabs
