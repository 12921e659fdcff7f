// Grades a lab's samples, each in a process of its own, and holds the reports against what the samples expect.
#include "lint/sample_grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <exception>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <thread>

#include "lint/first.h"
#include "lint/harm.h"
#include "lint/programs.h"
#include "lint/time_use.h"
#include "report/layout.h"
#include "sandbox/temporary_folder.h"
#include "text/file_text.h"

namespace cudalabs::lint {
namespace {

namespace fs = std::filesystem;

/// The file to hand in: the sample itself, a step of a ladder and the rest in one file of the step's name, or a hostile
/// sample with the path of the canary in the place of its first line.
fs::path submission_of(const Sample& sample, const fs::path& scratch, const fs::path& canary) {
  if (sample.rest.empty() && sample.kind != SampleKind::hostile) return sample.file;
  fs::path whole = scratch / sample.file.filename();
  std::ofstream stream(whole);
  std::string text = text_of(sample.file);
  if (sample.kind == SampleKind::hostile)
    text.replace(0, text.find('\n'), fmt::format("#define CUDALABS_CANARY \"{}\"", canary.string()));
  stream << text << (sample.rest.empty() ? std::string() : text_of(sample.rest));
  if (!stream.flush()) throw std::system_error(errno, std::generic_category(), whole);
  return whole;
}

/// The errors that a report has, or that there are none.
std::string verdict_of(const nlohmann::json& report) {
  std::set<std::string> errors;
  for (const auto& finding : report.at("findings")) {
    if (finding.at("severity") == "error") errors.insert(finding.at("id").get<std::string>());
  }
  if (!errors.empty()) return fmt::format("{}", fmt::join(errors, ", "));
  return report.at("score").at("points") == report.at("score").at("max") ? "full marks" : "no errors";
}

/// What the virtual GPU says first, and how much. What a real one adds may come first as well.
void judge_screen(SampleResult& result, const GradingPlan& plan, const std::string& screen,
                  const nlohmann::json& report) {
  result.rows = rows_of(screen, kColumns);
  result.may_be_long = may_be_long(report);
  if (!result.fits_screen()) result.objection += fmt::format("; a report of {} rows", result.rows);
  if (!result.sample.first || plan.device != "virtual" || result.sample.expected.kind == Expectation::Kind::full_marks)
    return;
  result.first = objection_to_first(*result.sample.first, screen, report, result.frontend == "nvcc");
  if (!result.first.empty())
    result.objection += fmt::format("; first: {}, not {}", result.first, describe(*result.sample.first));
}

/// Of a cache that holds what all samples of all labs are compiled to, by both front ends.
constexpr const char* kCacheMebibytes = "8192";

void grade_one(SampleResult& result, const GradingPlan& plan, const fs::path& own_cache, const fs::path& scratch,
               const fs::path& canary) {
  const bool keeps = !plan.cache.empty() && result.sample.kind != SampleKind::hostile;
  const fs::path& cache = keeps ? plan.cache : own_cache;
  const fs::path json = scratch / "report.json", complaints = scratch / "complaints", said = scratch / "said";
  fs::create_directory(scratch / "tmp");
  fs::remove(json);
  const auto begin = std::chrono::steady_clock::now();
  const Order order{result.lab, submission_of(result.sample, scratch, canary), result.frontend, json,
                    more_time_for(result.sample)};
  const int exit_code = run_apart([&] { return plan.grade(order); },
                                  {{"CUDALABS_CACHE", cache.string()},
                                   {"CUDALABS_CACHE_MIB", kCacheMebibytes},
                                   {"TMPDIR", (scratch / "tmp").string()},
                                   {"COLUMNS", fmt::format("{}", kColumns)}},
                                  said, complaints);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto report = nlohmann::json::parse(text_of(json), nullptr, false);
  if (report.is_discarded()) {
    result.objection = fmt::format("no report; exit code {}: {}", exit_code, text_of(complaints));
    return;
  }
  result.speed = report.at("speed");
  result.points = report.at("score").at("points").get<double>();
  result.max = report.at("score").at("max").get<double>();
  result.objection = objection(result.sample.expected, report, exit_code);
  for (const Expectation& other : result.sample.or_else) {
    if (objection(other, report, exit_code).empty()) result.objection.clear();
  }
  judge_screen(result, plan, text_of(said), report);
  result.verdict = verdict_of(report);
  result.tier = report.at("sandbox").get<std::string>();
  const auto& timings = report.at("timings");
  result.processor_seconds = timings.value("processor", 0.0);
  if (timings.contains("processor_limit"))
    result.long_time = long_time(result.sample, result.processor_seconds, timings.at("processor_limit"));
  if (plan.judges_time && !result.long_time.empty()) result.objection += "; " + result.long_time;
  if (result.sample.kind == SampleKind::hostile) result.objection += harm_done(result, plan, cache, scratch);
  // What the grader says of its own failure is worth more than the summary.
  for (const auto& check : report.at("checks")) {
    if (check.at("status") != "error") continue;
    result.objection += "; " + check.at("message").get<std::string>();
    return;
  }
}

bool wanted(const Sample& sample, const std::vector<std::string>& only) {
  const std::string path = sample.file.string();
  return only.empty() || std::ranges::any_of(only, [&](const auto& text) { return path.find(text) != path.npos; });
}

}  // namespace

bool SampleResult::fits_screen() const {
  return rows <= kMostRows || may_be_long;
}

nlohmann::ordered_json to_json(const SampleResult& result) {
  return {{"lab", result.lab},
          {"kind", name_of(result.sample.kind)},
          {"sample", result.sample.file.stem().string()},
          {"frontend", result.frontend},
          {"expected", describe(result.sample.expected)},
          {"objection", result.objection},
          {"points", result.points},
          {"max", result.max},
          {"seconds", result.seconds},
          {"processor_seconds", result.processor_seconds},
          {"long_time", result.long_time},
          {"verdict", result.verdict},
          {"tier", result.tier},
          {"rows", result.rows},
          {"first", result.first},
          {"speed", result.speed}};
}

std::vector<SampleResult> grade_samples(const std::vector<LabSamples>& labs, const GradingPlan& plan,
                                        const GradingListener& listener) {
  std::vector<SampleResult> results;
  for (const std::string& frontend : plan.frontends) {
    for (const LabSamples& lab : labs) {
      for (const Sample& sample : lab.samples) {
        if (!wanted(sample, plan.only)) continue;
        SampleResult& result = results.emplace_back();
        result.lab = lab.lab;
        result.solution = lab.solution;
        result.sample = sample;
        const auto& elsewhere = plan.device == "cuda" ? sample.on_cuda : sample.by_nvcc;
        if (elsewhere && frontend == "nvcc") result.sample.expected = *elsewhere;
        result.frontend = frontend;
      }
    }
  }
  const sandbox::TemporaryFolder scratch("lint");  // reports, and a cache of their own
  const fs::path canary = make_canary(scratch.path());
  adopt_what_is_left();
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&](unsigned worker) {
    const fs::path own = scratch.path() / std::to_string(worker);
    fs::create_directory(own);
    for (std::size_t i = next++; i < results.size(); i = next++) {
      SampleResult& result = results[i];
      listener.say(fmt::format("{}: {} of {}: {} ({})", result.lab, i + 1, results.size(),
                               result.sample.file.filename().string(), result.frontend));
      try {
        grade_one(result, plan, scratch.path() / "cache", own, canary);
        const std::lock_guard lock(mutex);
        if (listener.finished) listener.finished(result);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
        next = results.size();
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned worker = 0; worker < std::max(plan.jobs, 1u); ++worker) workers.emplace_back(work, worker);
  }
  if (failure) std::rethrow_exception(failure);
  return results;
}

}  // namespace cudalabs::lint
