// A small class without a grader: labs that are in no folder, and reports made up.
#pragma once

#include <string>
#include <vector>

#include "course/class_data.h"
#include "course/grade_class.h"
#include "course/store.h"
#include "sandbox/temporary_folder.h"

namespace cudalabs::test {

/// A lab of 100 points, 60 for `square` and 40 for `edges`.
Lab made_up_lab(const std::string& id, const std::string& source);

/// An attempt whose bytes are `text`.
course::Attempt made_up_attempt(const std::string& lab, const std::string& student, const std::string& text);

/// A report in which `edges` passes if `all`; 100 or 60 points. `message`: of a finding, if not empty.
std::string made_up_report(const std::string& lab, bool all, const std::string& message = "");

/// A grading of it, as it would be kept.
course::Grading made_up_grading(const std::string& lab, const std::string& text, bool all,
                                const std::string& message = "");

struct SmallClass {
  sandbox::TemporaryFolder folder;
  std::vector<Lab> labs{made_up_lab("lab1", "vector_add.cu"), made_up_lab("lab3", "matmul.cu")};
  course::Store store{folder.path(), course::Store::Open::make};

  course::ClassData data(std::optional<std::int64_t> last_run = std::nullopt) {
    return course::read_class(folder.path(), store, labs, std::nullopt, last_run);
  }
};

}  // namespace cudalabs::test
