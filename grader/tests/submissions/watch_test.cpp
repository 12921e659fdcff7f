// `grade watch` as a person uses it: grade, save, see what changed, press Ctrl-C.
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "catch.h"
#include "program.h"
#include "tree/tree_paths.h"

using namespace cudalabs::test;

namespace {

/// A program that runs beside the test, with its output in a pipe or on a terminal of 24 rows and 80 columns. It does
/// not outlive this object. What it keeps lies in `folder`.
class Running {
 public:
  enum class On { pipe, terminal };

  Running(const std::vector<std::string>& words, const std::filesystem::path& folder, On on = On::pipe) {
    std::array<int, 2> ends{};
    if (on == On::pipe) {
      REQUIRE(pipe(ends.data()) == 0);
    } else {
      const winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
      REQUIRE(openpty(&ends[0], &ends[1], nullptr, nullptr, &size) == 0);
    }
    child_ = fork();
    REQUIRE(child_ >= 0);
    if (child_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      setenv("CUDALABS_CACHE", (folder / "cache").c_str(), 1);
      setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);
      std::vector<char*> arguments;
      for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
      arguments.push_back(nullptr);
      execv(arguments[0], arguments.data());
      _exit(127);
    }
    close(ends[1]);
    out_ = ends[0];
  }
  ~Running() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    close(out_);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  /// What it says from now on up to and including `end`; a minute at most.
  std::string says_until(const std::string& end) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (;;) {
      const std::size_t found = heard_.find(end);
      if (found != std::string::npos) {
        std::string said = heard_.substr(0, found + end.size());
        heard_.erase(0, found + end.size());
        return said;
      }
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      pollfd event{out_, POLLIN, 0};
      INFO(heard_);
      REQUIRE(left.count() > 0);
      REQUIRE(poll(&event, 1, static_cast<int>(left.count())) == 1);
      std::array<char, 4096> chunk;
      const ssize_t count = read(out_, chunk.data(), chunk.size());
      REQUIRE(count > 0);
      heard_.append(chunk.data(), static_cast<std::size_t>(count));
    }
  }

  int press_ctrl_c() {
    kill(child_, SIGINT);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    return status;
  }

 private:
  pid_t child_ = -1;
  int out_ = -1;
  std::string heard_;
};

}  // namespace

TEST_CASE("every save is graded, and what changed is told") {
  const TemporaryFolder folder;
  const std::string head = "#include \"matmul.h\"\n",
                    name = "void matmul(const float*, const float*, float*, int, int, int)";
  const auto file = folder.write("matmul.cu", head + name + " {}\n");
  Running watch({cudalabs::build_path("grade"), "watch", "lab3", "--submission", file.string()}, folder.path());
  std::string said = watch.says_until("Ctrl-C ends\n");
  CHECK(said.find("5 of 100 points") != std::string::npos);
  CHECK(said.find("since the last grading") == std::string::npos);

  folder.write("notes.txt", "no submission");
  folder.write("matmul.cu", head + name + " { int x = }\n");
  said = watch.says_until("Ctrl-C ends\n");
  CHECK(said.find("since the last grading: 0 of 100 points (-5)") != std::string::npos);
  CHECK(said.find("no longer: `matmul.cu` compiles") != std::string::npos);

  folder.write("matmul.cu", head + name + " {}\n");
  said = watch.says_until("Ctrl-C ends\n");
  CHECK(said.find("since the last grading: 5 of 100 points (+5)") != std::string::npos);

  // A save in the middle of a grading that would take long begins another one.
  folder.write("matmul.cu", head + name + " { for (volatile int i = 0;; i = i + 1) {} }\n");
  folder.write("matmul.cu", head + name + " {}\n");
  said = watch.says_until("Ctrl-C ends\n");
  CHECK(said.find("since the last grading: as before") != std::string::npos);
  const int status = watch.press_ctrl_c();
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
}

namespace {

/// The rows that a terminal of 80 columns shows of `text`; colours and other escapes take none.
std::size_t rows_shown(const std::string& text) {
  std::size_t rows = 1, column = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) == 0) ++i;
    } else if (text[i] == '\n') {
      ++rows;
      column = 0;
    } else if (text[i] != '\r' && (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80 && ++column > 80) {
      ++rows;
      column = 1;
    }
  }
  return rows;
}

/// What is on the screen: all since it was cleared.
std::string screen(const std::string& said) {
  const std::string clear = "\x1b[2J";
  const std::size_t at = said.rfind(clear);
  REQUIRE(at != std::string::npos);
  return said.substr(at + clear.size());
}

}  // namespace

TEST_CASE("on a terminal the screen is cleared, never overfull, and begins with the first error") {
  const TemporaryFolder folder;
  const std::string head = "#include \"matmul.h\"\n",
                    body = "void matmul(const float*, const float*, float*, int, int, int)";
  std::string many = head + body + " {\n";
  for (int i = 0; i < 40; ++i) many += "  unknown_" + std::to_string(i) + " = 1;\n";
  const auto file = folder.write("matmul.cu", many + "}\n");
  Running watch({cudalabs::build_path("grade"), "watch", "lab3", "--submission", file.string()}, folder.path(),
                Running::On::terminal);
  std::string shown = screen(watch.says_until("Ctrl-C ends"));
  INFO(shown);
  CHECK(rows_shown(shown) <= 24);
  CHECK(shown.find("unknown_0") != std::string::npos);
  CHECK(shown.find("... more") != std::string::npos);

  folder.write("matmul.cu", head + body + " {}\n");
  shown = screen(watch.says_until("Ctrl-C ends"));
  CHECK(rows_shown(shown) <= 24);
  CHECK(shown.find("lab3: Naive matrix product") != std::string::npos);
  CHECK(shown.find("since the last grading: 5 of 100 points (+5)") != std::string::npos);
  CHECK(WIFSIGNALED(watch.press_ctrl_c()));
  CHECK(read_file(folder.path() / "state/cudalabs/progress.json").find("lab3") != std::string::npos);
}
