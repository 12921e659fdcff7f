// Suppressions: read from a file, matched, written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vgpu/finding.h"

namespace cudalabs::sanitizer {

/// Which findings are meant, and why they may stay. `id`, `kernel` and `file` are patterns as the shell's: `*` stands
/// for any text, `?` for one character; a backslash makes the next character plain.
struct Suppression {
  std::string id;
  std::string kernel = "*";  // without parameters, as in findings
  std::string file = "*";    // of the place of the finding, as in findings: the whole path
  std::uint32_t line = 0;    // 0: any
  std::string reason;
  std::string place;  // where it stands, "FILE:LINE"

  bool matches(const Finding& finding) const;
};

/// Reads TOML: `[[suppress]]` with `id` and `reason`, and optional `kernel`, `file` and `line`. Throws LabError, whose
/// text names file and line, for anything else.
std::vector<Suppression> read_suppressions(const std::filesystem::path& file);

/// A file that read_suppressions() takes, with an entry for each finding.
std::string suppressions_for(std::span<const Finding> findings);

struct SuppressedFinding {
  Finding finding;
  std::string reason;
};

struct Suppressed {
  std::vector<Finding> left;
  std::vector<SuppressedFinding> suppressed;
  std::vector<Suppression> unmatched;  // suppressions that no finding needs any more
};

/// The first suppression that matches a finding counts for it.
Suppressed suppress(std::vector<Finding> findings, std::span<const Suppression> suppressions);

}  // namespace cudalabs::sanitizer
