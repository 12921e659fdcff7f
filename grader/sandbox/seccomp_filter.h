// Which system calls a job may make: those an ordinary program needs, minus what reaches other processes or the kernel.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace cudalabs::sandbox {

/// The filter program for this machine's own instruction set; other instruction sets' calls end the process.
/// `accelerator`: a job that drives a GPU also needs unix sockets and memory policy. Throws SandboxError.
const std::vector<sock_filter>& seccomp_filter(bool accelerator);

}  // namespace cudalabs::sandbox
