// Grades a lab's samples, each by a `grade` of its own, and holds the reports against what the samples expect.
#include "lint/grading.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <exception>
#include <fstream>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "sandbox/temporary_folder.h"

namespace cudalabs::lint {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Runs the program with standard error in a file; its exit code, 128 + the number of a signal.
int run_quietly(std::vector<std::string> words, std::vector<std::string> environment, const fs::path& complaints) {
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  };
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, complaints.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, words[0].c_str(), &actions, nullptr, pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), words[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The file to hand in: the sample itself, or a step of a ladder and the rest in one file of the step's name.
fs::path submission_of(const Sample& sample, const fs::path& scratch) {
  if (sample.rest.empty()) return sample.file;
  fs::path whole = scratch / sample.file.filename();
  std::ofstream stream(whole);
  stream << text_of(sample.file) << text_of(sample.rest);
  if (!stream.flush()) throw std::system_error(errno, std::generic_category(), whole);
  return whole;
}

void grade_one(SampleResult& result, const GradingPlan& plan, const fs::path& cache, const fs::path& scratch) {
  const fs::path json = scratch / "report.json", complaints = scratch / "complaints";
  fs::remove(json);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::string> command{plan.grade, result.lab,  "--submission", submission_of(result.sample, scratch),
                                   "--device", plan.device, "--frontend",   result.frontend,
                                   "--json",   json};
  if (!plan.sandbox.empty()) command.insert(command.end(), {"--sandbox", plan.sandbox});
  const int exit_code = run_quietly(std::move(command), {"CUDALABS_CACHE=" + cache.string()}, complaints);
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
        result.sample = sample;
        const auto& elsewhere = plan.device == "cuda" ? sample.on_cuda : sample.by_nvcc;
        if (elsewhere && frontend == "nvcc") result.sample.expected = *elsewhere;
        result.frontend = frontend;
      }
    }
  }
  const sandbox::TemporaryFolder scratch("lint");  // reports, and a cache of their own
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
        grade_one(result, plan, scratch.path() / "cache", own);
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
