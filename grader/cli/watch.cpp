// `grade watch`: grades again on every save. A grading is a process of its own, because a save in its middle ends it.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>

#include "cli/best_scores.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/file_watch.h"
#include "cli/graded.h"
#include "cli/project.h"
#include "cli/sources.h"
#include "cli/watch_screen.h"
#include "report/changes.h"
#include "report/console_style.h"
#include "report/report.h"
#include "report/screen.h"
#include "sandbox/fd.h"

namespace cudalabs {
namespace {

using sandbox::Fd;

constexpr int kSettleMilliseconds = 100;  // some editors save in several steps
constexpr std::size_t kRows = 24, kFewestRows = 12;
constexpr char kClearScreen[] = "\x1b[H\x1b[2J";  // what was scrolled away stays

/// What one grading hands to the process that shows it.
struct Shown {
  std::string text;  // of the terminal
  std::string json;  // empty when the grading failed
};

Fd memory_file() {
  Fd file(memfd_create("cudalabs-grading", MFD_CLOEXEC));
  if (!file) throw std::system_error(errno, std::generic_category(), "cannot make a memory file");
  return file;
}

void put(const Fd& file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(file.get(), text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) _exit(kInternalError);
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

std::string contents(const Fd& file) {
  std::string text;
  std::array<char, 1 << 14> chunk;
  for (off_t at = 0;;) {
    const ssize_t count = pread(file.get(), chunk.data(), chunk.size(), at);
    if (count <= 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(count));
    at += count;
  }
}

/// A grading under way in a child process. Its end, if it has not come, comes with this object's.
class Grading {
 public:
  Grading(const GradeCommand& command, const TerminalStyle& style, std::size_t rows)
      : text_(memory_file()), json_(memory_file()) {
    child_ = fork();
    if (child_ < 0) throw std::system_error(errno, std::generic_category(), "cannot start a grading");
    if (child_ == 0) _exit(run(command, style, rows));
    ended_ = Fd(static_cast<int>(syscall(SYS_pidfd_open, child_, 0)));
  }
  ~Grading() {
    if (child_ < 0) return;
    kill(child_, SIGKILL);  // its sandbox dies with it
    waitpid(child_, nullptr, 0);
  }
  Grading(const Grading&) = delete;
  Grading& operator=(const Grading&) = delete;

  int descriptor() const { return ended_.get(); }
  /// After its end.
  Shown take() {
    waitpid(child_, nullptr, 0);
    child_ = -1;
    return {contents(text_), contents(json_)};
  }

 private:
  int run(const GradeCommand& command, const TerminalStyle& style, std::size_t rows) const {
    try {
      const Lab lab = load_lab(command.target.lab);
      const Submission submission = find_submission(command.target, lab);
      const Report report = graded(command, lab, submission);
      put(text_, render_screen_of(report, sources_of(lab, submission), style, rows));
      put(json_, render_json(report));
      return exit_code_of(report);
    } catch (const std::exception& error) {
      put(text_, std::string("grade: ") + error.what() + "\n");
      return kInternalError;
    }
  }

  Fd text_, json_, ended_;
  pid_t child_ = -1;
};

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%H:%M:%S", &local);
  return text.data();
}

/// Waits until one of the two can be read.
void wait_for(int first, int second) {
  std::array<pollfd, 2> events{pollfd{first, POLLIN, 0}, pollfd{second, POLLIN, 0}};
  while (poll(events.data(), events.size(), -1) < 0 && errno == EINTR) continue;
}

std::size_t screen_rows() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return kRows;
  return std::max<std::size_t>(size.ws_row, kFewestRows);
}

void note_score_of(const GradeCommand& command, const std::string& json) {
  if (command.target.solution) return;
  const auto report = nlohmann::json::parse(json);
  const auto& score = report.at("score");
  note_score(progress_file(), report.at("lab").get<std::string>(),
             {score.at("points").get<double>(), score.at("max").get<double>()});
}

bool is_readable(int descriptor) {
  pollfd event{descriptor, POLLIN, 0};
  return poll(&event, 1, 0) == 1;
}

}  // namespace

int run_command(const WatchCommand& command) {
  const Lab lab = load_lab(command.grade.target.lab);
  const Submission submission = find_submission(command.grade.target, lab);
  FileWatch file(submission.source);
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  std::string before;
  for (;;) {
    const TerminalStyle style = console_style(STDOUT_FILENO);
    Grading grading(command.grade, style, terminal ? screen_rows() - kWatchFooterRows : kScreenRows);
    bool saved = false;
    while (!saved && !is_readable(grading.descriptor())) {
      wait_for(grading.descriptor(), file.descriptor());
      saved = file.saved();
    }
    if (!saved) {
      Shown shown = grading.take();
      std::string changes;
      if (!before.empty() && !shown.json.empty()) changes = render_changes(before, shown.json, style);
      const std::string waiting = fmt::format("{}  waiting for {} to be saved; Ctrl-C ends", time_of_day(),
                                              submission.source.filename().string());
      std::string text = kClearScreen + watch_screen(shown.text, changes, waiting, screen_rows(), style.width);
      if (!terminal) {
        if (!changes.empty()) shown.text += "\nsince the last grading: " + changes;
        text = fmt::format("{}\n{}\n", shown.text, waiting);
      }
      std::fputs(text.c_str(), stdout);  // at once, so that the screen does not flicker
      std::fflush(stdout);
      if (!shown.json.empty()) {
        if (terminal) note_score_of(command.grade, shown.json);
        before = std::move(shown.json);
      }
      while (!file.saved()) wait_for(file.descriptor(), file.descriptor());
    }
    do {
      poll(nullptr, 0, kSettleMilliseconds);
    } while (file.saved());
  }
}

}  // namespace cudalabs
