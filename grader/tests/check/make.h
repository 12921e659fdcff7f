// Small arrays, cases and observations for tests, made by hand.
#pragma once

#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "check/comparison.h"
#include "check/judge.h"
#include "check/merge.h"
#include "check/submission_run.h"

namespace cudalabs::test {

/// Value of element (row, column); smooth, without symmetry, no two neighbours alike.
inline double reference_value(std::int64_t row, std::int64_t column) {
  return 1.0 + 3.0 * static_cast<double>(row) - 0.625 * static_cast<double>(column) +
         0.125 * static_cast<double>(row * column % 7);
}

using ValueAt = std::function<double(std::int64_t row, std::int64_t column)>;

inline datasets::ExpectedArray expected_matrix(std::int64_t rows, std::int64_t columns,
                                               const ValueAt& value = reference_value, double bound = 1e-3) {
  datasets::ExpectedArray expected{"c", datasets::ElementType::f32, {rows, columns}, {}, {}};
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      expected.value.push_back(value(row, column));
      expected.bound.push_back(bound);
    }
  }
  return expected;
}

template <typename T>
datasets::Array array_of(std::string name, datasets::ElementType type, std::vector<std::int64_t> shape,
                         const std::vector<T>& values) {
  datasets::Array array;
  array.name = std::move(name);
  array.type = type;
  array.shape = std::move(shape);
  const auto bytes = std::as_bytes(std::span(values));
  array.data.assign(bytes.begin(), bytes.end());
  return array;
}

inline datasets::Array float_matrix(const std::string& name, std::int64_t rows, std::int64_t columns,
                                    const ValueAt& value = reference_value) {
  std::vector<float> values;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) values.push_back(static_cast<float>(value(row, column)));
  }
  return array_of(name, datasets::ElementType::f32, {rows, columns}, values);
}

/// The comparison of an output that holds got(row, column) with the reference values.
inline Comparison compared(std::int64_t rows, std::int64_t columns, const ValueAt& got) {
  return compare(float_matrix("c", rows, columns, got), expected_matrix(rows, columns));
}

inline void poison(datasets::Array& array, std::int64_t index) {
  const std::size_t size = datasets::size_in_bytes(array.type);
  std::memset(array.data.data() + static_cast<std::size_t>(index) * size, kPoisonByte, size);
}

/// Judged as the only case run of its submission.
inline CaseRun judged(CaseRun case_run) {
  std::vector<CaseRun> case_runs{std::move(case_run)};
  judge(case_runs);
  return std::move(case_runs.front());
}

/// A judged case run of one case whose run finished with `output`.
inline CaseRun case_run_with(const std::string& name, const datasets::ExpectedArray& expected, datasets::Array output,
                             std::vector<std::string> tags = {}) {
  CaseRun case_run;
  case_run.test.spec.name = name;
  case_run.test.spec.title = "the case of " + name;
  case_run.test.spec.tags = std::move(tags);
  case_run.test.expected.push_back(expected);
  case_run.observed.end = RunEnd::finished;
  case_run.observed.outputs.push_back(std::move(output));
  return judged(std::move(case_run));
}

inline CaseRun right_case_run(const std::string& name, std::vector<std::string> tags = {}) {
  return case_run_with(name, expected_matrix(4, 4), float_matrix("c", 4, 4), std::move(tags));
}

inline CaseRun unfinished_case_run(const std::string& name, RunEnd end, const std::string& detail,
                                   std::vector<Finding> findings = {}) {
  CaseRun case_run;
  case_run.test.spec.name = name;
  case_run.test.expected.push_back(expected_matrix(2, 2));
  case_run.observed.end = end;
  case_run.observed.detail = detail;
  case_run.observed.findings = std::move(findings);
  return judged(std::move(case_run));
}

inline Finding finding(const std::string& id, std::uint32_t line, Severity severity = Severity::error) {
  Finding made;
  made.id = id;
  made.severity = severity;
  made.message = "something about " + id;
  made.where = {"matmul.cu", line, 5};
  made.kernel = "kernel";
  return made;
}

inline CaseRun case_run_finding(const std::string& name, std::vector<Finding> findings) {
  CaseRun case_run = right_case_run(name);
  case_run.observed.findings = std::move(findings);
  return judged(std::move(case_run));
}

inline std::vector<std::string> ids(const std::vector<MergedFinding>& findings) {
  std::vector<std::string> names;
  for (const MergedFinding& one : findings) names.push_back(one.id);
  return names;
}

}  // namespace cudalabs::test
