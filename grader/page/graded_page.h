// One grading as a page for a browser, or as a part of one.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "page/graded_work.h"
#include "page/values.h"

namespace cudalabs::page {

/// What a page of several gradings may say besides.
struct Setting {
  unsigned heading = 1;                                           // level of the title
  std::vector<std::pair<std::string, std::string>> remarks = {};  // class ("soft", "warn") and text, below the points
  std::vector<std::pair<std::string, std::string>> facts = {};    // name and value, above those of the grading
  std::optional<double> points = {};                              // that count; none: those that the grader gave
};

/// A page that needs no other file, no network and no script.
std::string render_page(const GradedWork& work);

/// For the template `grading` of this room. Its anchors begin with the lab's id, so that a page has one grading a lab.
Values grading_values(const GradedWork& work, const Setting& setting);

}  // namespace cudalabs::page
