// A lab folder with a good lab.toml in it, for tests that break a rule of it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "catch.h"
#include "lab/lab.h"
#include "sandbox/temporary_folder.h"

namespace cudalabs::testing {

inline constexpr std::string_view kGood = R"(id = "lab9"
title = "A lab"
seed = 7

[contract]
header = "thing.h"
source = "thing.cu"
functions = ["thing", "other_thing"]

[device]
model = "a100"

[limits]
cpu_seconds = 1.5
kernel_seconds = 2
processes = 5

[[checks]]
id = "compiles"
title = "it compiles"
category = "build"
points = 10
help = "read the first error"

[[checks]]
id = "square"
title = "squares are right"
category = "correctness"
points = 2.5
needs = ["compiles"]
help = "think"

[[cases]]
name = "small"
title = "a small one"
parameters = { m = 3, n = -4 }
tags = ["square"]

[[cases]]
name = "large"
title = "a large one"
parameters = { m = 30, n = 40 }
)";

/// What follows kGood's checks and cases in a lab that is timed; begins at line 1 of what is appended.
inline constexpr std::string_view kTimed = R"(
[[checks]]
id = "bandwidth"
title = "it is fast"
category = "speed"
points = 5
help = "be fast"

[[speed]]
check = "bandwidth"
parameters = { m = 8, n = 9 }
modelled_parameters = { m = 4, n = 3 }
unit = "launch"
bytes = 4096
operations = 0
baseline = "copy"
baseline_parameters = { n = 16 }
modelled_baseline_parameters = { n = 2 }
baseline_bytes = 8192

[[speed.thresholds]]
device = "h200"
none = 0.25
full = 0.5
honours = 0.75
source = "measured"

[[speed.thresholds]]
device = "any"
none = 0
full = 1
source = "guessed"
)";

/// A lab folder with the good files in it.
class LabFolder {
 public:
  LabFolder() {
    toml(kGood);
    for (const char* name : {"thing.h", "thing.cu", "runner.cpp"})
      root_.write(std::string("labs/lab9_thing/") + name, "");
  }
  void toml(std::string_view text) const { root_.write("labs/lab9_thing/lab.toml", text); }
  void hidden(std::string_view text) const { root_.write("solutions/lab9_thing/hidden.toml", text); }
  Lab read() const { return read_lab(root_.path() / "labs/lab9_thing", root_.path() / "solutions"); }
  const std::filesystem::path& root() const { return root_.path(); }

  /// The LabError of read(), without the folder in front: "lab.toml:3: …"; empty when there is none.
  std::string error() const {
    try {
      read();
    } catch (const LabError& error) {
      std::string text = error.what();
      for (const char* folder : {"labs", "solutions"}) {
        const std::string prefix = (root_.path() / folder / "lab9_thing/").string();
        if (text.starts_with(prefix)) return text.substr(prefix.size());
      }
      return text;
    }
    return {};
  }

 private:
  sandbox::TemporaryFolder root_;
};

/// kGood with the one occurrence of `from` replaced.
inline std::string with(std::string_view from, std::string_view to, std::string_view text = kGood) {
  std::string changed(text);
  const std::size_t at = changed.find(from);
  REQUIRE(at != std::string::npos);
  REQUIRE(changed.find(from, at + 1) == std::string::npos);
  return changed.replace(at, from.size(), to);
}

/// A lab that is timed, with the one occurrence of `from` replaced.
inline std::string timed() {
  return std::string(kGood) + std::string(kTimed);
}
inline std::string timed(std::string_view from, std::string_view to, const std::string& text = timed()) {
  return with("\n" + std::string(from), "\n" + std::string(to), text);
}

}  // namespace cudalabs::testing
