// A report as it was kept, for pages: the parts that they show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cudalabs::course {

struct CheckView {
  std::string id, title, category, status, message, help;
  double points = 0, max = 0;
};

struct PlaceView {
  std::string label, file;
  std::uint32_t line = 0, column = 0;
};

struct FindingView {
  std::string id, severity, message, kernel, note, help;
  PlaceView where;
  std::vector<PlaceView> others;
  std::uint64_t count = 0;
};

struct ReportView {
  std::string device, frontend, sandbox, build_output;
  std::vector<CheckView> checks;
  std::vector<FindingView> findings;
};

/// Of JSON, version 1; empty for what is none.
ReportView view_report(const std::string& json);

}  // namespace cudalabs::course
