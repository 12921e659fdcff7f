// What a course host wants to have, to grade one lab there: the host's kit with this lab in it, and the grader's
// package.
#pragma once

#include <filesystem>
#include <stdexcept>

#include "hosts/host.h"
#include "lab/lab.h"

namespace cudalabs::course {

/// A kit that cannot be made as asked; `what()` is for the caller.
class KitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct KitParts {
  const hosts::Host* host = nullptr;
  const Lab* lab = nullptr;
  std::filesystem::path kits;            // a folder a host
  std::filesystem::path install_script;  // installs the package there
  std::filesystem::path package;         // .deb
};

/// Copies the host's kit to `out`, which must not be there. In its texts @LAB@, @SOURCE@, @TITLE@, @POINTS@, @VARIABLE@
/// (the lab's id in capitals) and @UUID@ are replaced. A file PACKAGE gives way to package and script. A folder
/// NAME.zip.d or NAME.tar.d becomes the archive NAME.zip or NAME.tar. Throws KitError, and std::exception for files
/// that cannot be read or written.
void make_host_kit(const KitParts& parts, const std::filesystem::path& out);

}  // namespace cudalabs::course
