// Grades a lab's samples, each by a `grade` of its own, and holds the reports against what the samples expect.
#include "lint/grading.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
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
#include <set>
#include <string_view>
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

/// The programs that run at the moment. Whatever else is a child of this process was left behind by one that has ended.
class Running {
 public:
  /// Starts one, so that nobody takes it for left behind.
  template <typename Start>
  pid_t start(const Start& start) {
    const std::lock_guard lock(mutex_);
    const pid_t process = start();
    processes_.insert(process);
    return process;
  }
  int wait_for(pid_t process) {
    siginfo_t ended{};
    while (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) continue;
    const std::lock_guard lock(mutex_);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
    processes_.erase(process);
    return status;
  }
  /// Kills what was left behind, and counts it.
  unsigned clear_left() {
    const std::lock_guard lock(mutex_);
    unsigned count = 0;
    for (const pid_t child : children()) {
      if (processes_.contains(child)) continue;
      siginfo_t ended{};
      const bool dead =
          waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT | WNOHANG) == 0 && ended.si_pid == child;
      count += dead ? 0 : 1;
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    return count;
  }

 private:
  static std::vector<pid_t> children() {
    std::vector<pid_t> found;
    for (const fs::directory_entry& task : fs::directory_iterator("/proc/self/task")) {
      std::ifstream stream(task.path() / "children");
      for (pid_t child = 0; stream >> child;) found.push_back(child);
    }
    return found;
  }

  std::mutex mutex_;
  std::set<pid_t> processes_;
};

Running& running() {
  static Running programs;
  return programs;
}

/// Runs the program with what it prints in a file; its exit code, 128 + the number of a signal.
int run_quietly(std::vector<std::string> words, std::vector<std::string> environment, const fs::path& said,
                const fs::path& complaints) {
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
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, complaints.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int error = 0;
  const pid_t child = running().start([&] {
    pid_t process = -1;
    error = posix_spawn(&process, words[0].c_str(), &actions, nullptr, pointers(words).data(),
                        pointers(environment).data());
    return process;
  });
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), words[0]);
  const int status = running().wait_for(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// What is in the file that no submission may read.
constexpr std::string_view kCanary = "the-canary-was-read";

/// A file that every user may read, in a folder that every user may enter.
fs::path make_canary(const fs::path& scratch) {
  fs::path canary = scratch / "canary.h";
  std::ofstream stream(canary);
  stream << "#error " << kCanary << "\n";
  if (!stream.flush()) throw std::system_error(errno, std::generic_category(), canary);
  fs::permissions(scratch, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  return canary;
}

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

/// What must be so after a hostile sample was graded; empty when it is.
std::string harm_done(const SampleResult& result, const GradingPlan& plan, const fs::path& cache,
                      const fs::path& scratch) {
  std::string harm;
  for (const char* file : {"report.json", "said", "complaints"}) {
    if (text_of(scratch / file).find(kCanary) != std::string::npos) harm += "; the canary was read";
    if (text_of(scratch / file).find('\x1b') != std::string::npos) harm += "; an escape sequence got through";
  }
  if (result.sample.most_points && result.points > *result.sample.most_points)
    harm += fmt::format("; more than {} points", *result.sample.most_points);
  if (const unsigned left = running().clear_left(); left != 0) harm += fmt::format("; {} processes were left", left);
  if (!fs::is_empty(scratch / "tmp")) harm += "; files were left";
  std::vector<std::string> honest{plan.grade,  result.lab,   "--solution",   "--device",
                                  plan.device, "--frontend", result.frontend};
  if (!plan.sandbox.empty()) honest.insert(honest.end(), {"--sandbox", plan.sandbox});
  const int exit_code =
      run_quietly(honest, {"CUDALABS_CACHE=" + cache.string(), "TMPDIR=" + (scratch / "tmp").string()},
                  scratch / "said", scratch / "complaints");
  if (exit_code != 0) harm += fmt::format("; the solution after it ended with {}", exit_code);
  return harm;
}

void grade_one(SampleResult& result, const GradingPlan& plan, const fs::path& cache, const fs::path& scratch,
               const fs::path& canary) {
  const fs::path json = scratch / "report.json", complaints = scratch / "complaints", said = scratch / "said";
  fs::create_directory(scratch / "tmp");
  fs::remove(json);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::string> command{
      plan.grade, result.lab,  "--submission", submission_of(result.sample, scratch, canary),
      "--device", plan.device, "--frontend",   result.frontend,
      "--json",   json};
  if (!plan.sandbox.empty()) command.insert(command.end(), {"--sandbox", plan.sandbox});
  const int exit_code =
      run_quietly(std::move(command), {"CUDALABS_CACHE=" + cache.string(), "TMPDIR=" + (scratch / "tmp").string()},
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
  result.verdict = verdict_of(report);
  result.tier = report.at("sandbox").get<std::string>();
  result.processor_seconds = report.at("timings").value("processor", 0.0);
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
          {"verdict", result.verdict},
          {"tier", result.tier},
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
  const fs::path canary = make_canary(scratch.path());
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // what a grading leaves behind becomes a child of this process
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
