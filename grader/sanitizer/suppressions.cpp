// Suppressions: findings that are known and not reported.
#include "sanitizer/suppressions.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "lab/toml_reader.h"

namespace cudalabs::sanitizer {
namespace {

const KeyTable& suppress_keys() {
  static const KeyTable kTable{"[[suppress]]",
                               "A kind of finding that is not reported.",
                               {{"id", KeyType::text, "", "", "The finding's name, or a pattern of names."},
                                {"kernel", KeyType::text, "any", "", "A pattern of the kernel's name."},
                                {"file", KeyType::text, "any", "", "A pattern of the path of the file."},
                                {"line", KeyType::positive_count, "any", "", "The line in the file."},
                                {"reason", KeyType::text, "", "", "Why it may stay."}}};
  return kTable;
}

const KeyTable& file_keys() {
  static const KeyTable kTable{"suppressions",
                               "Findings that are not reported.",
                               {{"suppress", KeyType::tables, "none", "", "What is not reported.", &suppress_keys()}}};
  return kTable;
}

bool fits(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

/// A pattern that fits this text alone.
std::string pattern_of(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

/// A pattern of a file's path that fits wherever the project lies.
std::string file_pattern(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? pattern_of(path) : "*/" + pattern_of(path.substr(slash + 1));
}

/// A string of TOML.
std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

bool Suppression::matches(const Finding& finding) const {
  return fits(id, finding.id) && fits(kernel, finding.kernel) && fits(file, finding.where.file) &&
         (line == 0 || line == finding.where.line);
}

std::vector<Suppression> read_suppressions(const std::filesystem::path& file) {
  const TomlFile toml(file);
  TableReader top = toml.top(file_keys());
  std::vector<Suppression> suppressions;
  for (TableReader& entry : top.tables_or_none("suppress")) {
    Suppression one;
    one.id = entry.text("id").value;
    one.kernel = entry.text_or("kernel", "*").value;
    one.file = entry.text_or("file", "*").value;
    one.line = static_cast<std::uint32_t>(std::min<std::uint64_t>(entry.positive_count_or("line", 0), UINT32_MAX));
    one.reason = entry.text("reason").value;
    one.place = fmt::format("{}:{}", file.string(), entry.line());
    entry.finish();
    suppressions.push_back(std::move(one));
  }
  top.finish();
  return suppressions;
}

std::string suppressions_for(std::span<const Finding> findings) {
  std::string text =
      "# Findings that `cudalabs-vgpu run --suppress` does not report. `id`, `kernel` and `file` may be patterns with\n"
      "# `*` and `?`. Say in `reason` why a finding may stay.\n";
  for (const Finding& finding : findings) {
    text += fmt::format("\n[[suppress]]\nid = {}\n", toml_string(pattern_of(finding.id)));
    if (!finding.kernel.empty()) text += fmt::format("kernel = {}\n", toml_string(pattern_of(finding.kernel)));
    if (finding.where.known()) {
      text += fmt::format("file = {}\nline = {}\n", toml_string(file_pattern(finding.where.file)), finding.where.line);
    }
    text += fmt::format("reason = {}\n", toml_string("not looked at yet: " + finding.message));
  }
  return text;
}

Suppressed suppress(std::vector<Finding> findings, std::span<const Suppression> suppressions) {
  Suppressed result;
  std::vector<bool> used(suppressions.size());
  for (Finding& finding : findings) {
    const auto found = std::ranges::find_if(suppressions, [&](const auto& one) { return one.matches(finding); });
    if (found == suppressions.end()) {
      result.left.push_back(std::move(finding));
    } else {
      used[static_cast<std::size_t>(found - suppressions.begin())] = true;
      result.suppressed.push_back({std::move(finding), found->reason});
    }
  }
  for (std::size_t i = 0; i < suppressions.size(); ++i) {
    if (!used[i]) result.unmatched.push_back(suppressions[i]);
  }
  return result;
}

}  // namespace cudalabs::sanitizer
