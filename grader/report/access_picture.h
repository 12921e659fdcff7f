// How one warp accesses memory, instruction by instruction.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "report/source_text.h"
#include "vgpu/profile/access_sample.h"

namespace cudalabs {

struct AccessPicture {
  std::string lab;                          // "lab4"
  std::string test;                         // which case, as people read it
  std::vector<vgpu::AccessSample> samples;  // in the order of the program
};

/// For each instruction its source line, what each lane touches, and what that costs, in words.
std::string render_accesses(const AccessPicture& picture, const SourceText& sources, const TerminalStyle& style);

/// The same drawn: lanes above, sectors or banks below, and a line from each lane to what it accesses.
std::string render_access_svg(const AccessPicture& picture, const SourceText& sources);

/// "loads 4 bytes a lane from global memory"
std::string deed_of(const vgpu::AccessSample& access);

/// "12 lanes are off", "the warp has 20 threads, 4 of them off"; empty when all 32 lanes take part.
std::string absence_of(const vgpu::AccessSample& access);

/// "`k`, block (0, 0, 0), warp 0"
std::string warp_of(const vgpu::AccessSample& access);

}  // namespace cudalabs
