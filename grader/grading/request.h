// What a grading is asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/lab.h"

namespace cudalabs {

class OwnHeaders;

enum class DeviceChoice : std::uint8_t { automatic, virtual_gpu, cuda };
enum class FrontendChoice : std::uint8_t { automatic, clang, nvcc };

/// A submission as found. Paths are as given, or relative to the current folder: they are what messages show.
struct Submission {
  std::filesystem::path source;   // the file
  std::filesystem::path beneath;  // folder the file must lie in; empty when the file itself was named
  /// Its bytes, read once: what is graded and what is shown stay the same, whatever becomes of the file meanwhile. None
  /// where the file cannot be taken in, which building it explains.
  std::optional<std::string> text = std::nullopt;
};

/// Hears what the grading does now, as "lab3: case 7 of 20"; from several threads.
using ProgressListener = std::function<void(const std::string&)>;

struct GradingRequest {
  const Lab* lab = nullptr;  // not owned
  Submission submission;
  std::optional<std::uint64_t> seed;  // of the data; none: the lab's own
  DeviceChoice device = DeviceChoice::automatic;
  FrontendChoice frontend = FrontendChoice::automatic;
  bool record_accesses = false;              // of the case that shows them best, for a picture
  std::vector<std::string> catch_arguments;  // as to a Catch2 program: which checks, which reporter
  bool keeps_builds = true;                  // in the cache
  OwnHeaders* own_headers = nullptr;         // of many texts that differ by little; not owned; none: each its own
  bool optimises = true;                     // where it has to: else only what the checked build shows is judged
  bool waits_for_calm = true;  // measures again more often on a busy machine: no case may be lost to its load
  /// Small changes of a wrong text are tried, so many at a time, where nothing tells what to change; 0: none. That
  /// takes seconds, and a compiler for each.
  unsigned patches_at_a_time = 0;
  ProgressListener progress = [](const std::string&) {};
};

}  // namespace cudalabs
