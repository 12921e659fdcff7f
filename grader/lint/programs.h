// Programs that lint starts, and what they leave behind.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cudalabs::lint {

/// Makes what a program leaves behind a child of this process, so that clear_left() can find it.
void adopt_what_is_left();

/// Runs the program `words` with `environment` ("NAME=value") besides this process's own, and with what it prints in
/// two files; its exit code, 128 + the number of a signal. From any thread. Throws std::system_error when it cannot be
/// started.
int run_quietly(std::vector<std::string> words, std::vector<std::string> environment, const std::filesystem::path& said,
                const std::filesystem::path& complaints);

/// Kills the processes that programs which have ended left behind, and counts those that still ran.
unsigned clear_left();

/// What a file holds; empty where there is none.
std::string text_of(const std::filesystem::path& path);

}  // namespace cudalabs::lint
