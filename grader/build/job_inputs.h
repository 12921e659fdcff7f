// Files that a compiler's job gets beside the submission, by their path there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "sandbox/sandbox.h"

namespace cudalabs::builder {

constexpr std::size_t kMostProgram = 64u << 20;  // bytes of any file that is read here

/// Bytes by path in the job's root.
using Inputs = std::map<std::string, std::string>;

/// All of a file. Throws std::system_error, or std::length_error when it is longer than `kMostProgram`.
std::string contents(const std::filesystem::path& path);

/// Adds all files of `folder` and of the folders in it below `inside`.
void add_folder(Inputs& inputs, const std::filesystem::path& folder, std::string_view inside);

/// Where the runtime's headers are: what `kRuntimeHeaders` in a job is made of.
std::filesystem::path runtime_headers();

/// Gives the job copies of these files.
void give(sandbox::Job& job, const Inputs& inputs);

}  // namespace cudalabs::builder
