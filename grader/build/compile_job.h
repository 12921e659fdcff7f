// One run of a script of compilers' commands in a sandbox, and what it wrote.
#pragma once

#include <map>
#include <string>

#include "build/builder.h"
#include "build/job_inputs.h"
#include "sandbox/sandbox.h"

namespace cudalabs::builder {

/// What is kept of what a script writes to a descriptor: a compiler's log may be cut, a program may not.
enum class Keep : std::uint8_t { beginning, all };

struct CompileJob {
  std::string script;
  const Toolchain* toolchain = nullptr;
  const Inputs* inputs = nullptr;
  std::map<int, Keep> channels;       // descriptors from 3 to 9
  sandbox::Budget* budget = nullptr;  // of the whole grading; null: none
};

struct Compiled {
  sandbox::Outcome outcome;
  bool over_budget = false;             // it was ended because the budget was used up
  std::map<int, std::string> channels;  // those of the job

  const std::string& operator[](int channel) const { return channels.at(channel); }
};

/// Throws what the sandbox throws. A script that fails is no exception.
Compiled compile(const CompileJob& compile_job);

}  // namespace cudalabs::builder
