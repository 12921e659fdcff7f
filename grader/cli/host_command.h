// `grade host HOST LAB SUBMISSION OUT`: one grading, told to a course host in its own format.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hosts/host_report.h"
#include "lab/lab.h"

namespace cudalabs {

/// `arguments` begin behind `host`. The exit code: kFullMarks when the host was told a verdict, whatever it is;
/// kInternalError when there is none. Throws UsageError.
int run_host_command(const std::vector<std::string>& arguments);

/// What is told when the lab's file is not among what was handed in.
hosts::HostReport nothing_handed_in(const Lab& lab);

}  // namespace cudalabs
