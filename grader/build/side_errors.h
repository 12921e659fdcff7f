// What to do about functions of the host that a kernel calls, and functions of the device that the host calls.
#pragma once

#include <string>
#include <string_view>

#include "build/error_source.h"
#include "vgpu/finding.h"

namespace cudalabs::builder {

inline constexpr std::string_view kStreamsAreOfHost =
    "streams work on the host alone: a kernel prints with `printf`, which needs `#include <cstdio>`";
inline constexpr std::string_view kContainersAreOfHost =
    "containers of the standard library work on the host alone: give the kernel pointers to memory of `cudaMalloc`, "
    "and "
    "sizes; a small array of fixed size is `float v[4]`";
inline constexpr std::string_view kThreadsAreOfDevice =
    "only code of the device knows which thread it is: kernels, which are `__global__`, and functions with "
    "`__device__`";

/// A note that tells on which side a function is: it says more than others of the same error.
bool is_about_sides(std::string_view note);

/// Empty: the error is about something else.
std::string help_with_side(const Finding& error, const ErrorSource& source);

/// Only follows from code of the device that the compiler takes for code of the host, as clang tells it of `threadIdx`.
bool is_of_builtin_variable(std::string_view message);

}  // namespace cudalabs::builder
