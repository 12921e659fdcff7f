// Which system calls a job may make: those an ordinary program needs, minus what reaches other processes or the kernel.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace cudalabs::sandbox {

/// The filter program for this machine's own instruction set; other instruction sets' calls end the process.
/// `accelerator`: a job that drives a GPU also needs unix sockets and memory policy. `counted`: nobody in it may disown
/// its children before they end, for the kernel then adds what they used to nobody's account, nor wait for a child in a
/// way that looks like waiting for a disk, as vfork() does. Throws SandboxError.
const std::vector<sock_filter>& seccomp_filter(bool accelerator, bool counted);

/// For a process of a job that shares its user with others it must not reach, and that has all it needs: it can start
/// threads, but no process and no program, reach no other process, and make no file. Comes on top of the job's filter.
/// Throws SandboxError.
const std::vector<sock_filter>& lone_process_filter();

}  // namespace cudalabs::sandbox
