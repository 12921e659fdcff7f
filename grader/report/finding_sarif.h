// Findings as SARIF 2.1.0, the form in which code-scanning services and editors take them, of any observer.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "report/finding_rules.h"
#include "report/source_paths.h"
#include "report/source_text.h"
#include "vgpu/finding.h"

namespace cudalabs {

/// A log with one run, result by result. All text may come from anywhere.
class SarifFindings {
 public:
  using Json = nlohmann::ordered_json;

  /// Places are relative to the top of the repository by `paths`, lines are quoted from `sources`; both must outlive
  /// this. `whole` is the file that findings belong to whose own file has no path.
  SarifFindings(const SourceText& sources, const SourcePaths& paths, std::string_view whole);
  ~SarifFindings();
  SarifFindings(const SarifFindings&) = delete;
  SarifFindings& operator=(const SarifFindings&) = delete;

  void add(const Finding& finding);
  /// One that is suppressed, for the reason `why`.
  void add_suppressed(const Finding& finding, std::string_view why);
  /// An error that is no finding, and belongs to `whole`; `what` tells those of one rule apart.
  void add(const FindingRule& rule, std::string_view text, std::string_view what);

  /// `category` tells runs of one repository apart; `properties` may be null.
  std::string text(std::string_view category, const Json& invocation, const Json& properties) const;

 private:
  class Log;
  std::unique_ptr<Log> log_;
};

/// How a run went: a failure of the tool itself is no result.
nlohmann::ordered_json sarif_invocation(bool successful, std::span<const std::string> errors);

}  // namespace cudalabs
