// A launch in words.
#pragma once

#include <string>
#include <string_view>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// How the line of a note begins that says what was launched.
inline constexpr std::string_view kLaunchNote = "launch: ";

/// How the line of a note begins that says which parameters of a kernel get one array.
inline constexpr std::string_view kSameArrayNote = "this launch gives the same array to the kernel twice";

/// How it is told what a launch asks for, of an access outside of shared memory; who has the source says by what.
inline constexpr std::string_view kLaunchAsksFor = "this launch asks for ";

/// What is asked of an allocation that is as many times too small as an element has bytes. Who has the source asks no
/// more where it has the answer.
inline constexpr std::string_view kSizeofQuestion = "is `sizeof` missing?";

/// "<<<(3, 1), (16, 16)>>>", "<<<4, 256>>>": as many numbers as the larger of the two needs, and the bytes of dynamic
/// shared memory where there are any.
std::string launch_text(const LaunchConfig& config);

/// "launch: <<<(3, 1), (16, 16)>>>, 48 × 16 threads": along x, y and z. `elements` says what for, and may be empty.
std::string launch_note(const LaunchConfig& config, std::string_view elements = {});

/// "45 columns × 1 row".
std::string columns_and_rows(std::uint64_t columns, std::uint64_t rows);

}  // namespace cudalabs::vgpu
