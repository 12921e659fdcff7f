// From call-site addresses to source lines, by binutils' addr2line.
//
// The program may be hostile, so the caller decides where addr2line runs; here is only what to run and how to read
// it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/cudart/server_report.h"
#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// The command that prints where each address (CallOrigin) of `program` is, with the calls it was inlined through.
std::vector<std::string> addr2line_command(const std::string& program, std::span<const std::uint64_t> addresses);

/// Reads what it printed: as many places as addresses, each the innermost that is in no header of CUDA, nor in one
/// under /usr, where there is one; unknown where a line is missing or not understood.
std::vector<SourcePlace> parse_addr2line(std::string_view output, std::size_t addresses);

/// Likewise, where the function of that place was called that the compiler has made part of its caller; unknown where
/// it is no part of another.
std::vector<SourcePlace> parse_inlined_calls(std::string_view output, std::size_t addresses);

/// The addresses of `report.origins`: for each its own and the outer one.
std::vector<std::uint64_t> origin_addresses(const ServerReport& report);

/// Of the places of a CallOrigin the one that a person wrote: `outer` where `own` is in a CUDA header.
const SourcePlace& outside_headers(const SourcePlace& own, const SourcePlace& outer);

/// Gives the findings of `report.origins` their places; `places` are those of `origin_addresses`.
void place_findings(ServerReport& report, std::span<const SourcePlace> places);

}  // namespace cudalabs::vgpu
