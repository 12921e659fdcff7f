// Processes that lint starts, and what they leave behind.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace cudalabs::lint {

/// Makes what a program leaves behind a child of this process, so that clear_left() can find it.
void adopt_what_is_left();

/// Runs `work` in a process of its own, which is forked: whatever becomes of it, this one goes on. It has `environment`
/// (name and value) besides this process's own, and what it prints goes into two files. What `work` returns; 3 where it
/// throws, after what() was printed; 128 + the number of a signal that ended it. From any thread. Throws
/// std::system_error when there can be no process.
int run_apart(const std::function<int()>& work, const std::map<std::string, std::string>& environment,
              const std::filesystem::path& said, const std::filesystem::path& complaints);

/// Kills the processes that programs which have ended left behind, and counts those that still ran.
unsigned clear_left();

}  // namespace cudalabs::lint
