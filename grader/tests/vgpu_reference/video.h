// Video instructions, from what the PTX ISA says of them, step by step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cudalabs::reference {

/// "vadd.u32.s32.u32.sat" with what stands at the result and at each operand: "", ".h1", "-" before it for vmad.
struct VideoInstruction {
  std::string text;
  std::string d{}, a{}, b{};
  bool has_c = true;
  bool negates_a = false, negates_b = false, negates_c = false;

  /// With these names of registers.
  std::string spelled(const std::string& to, const std::string& first, const std::string& second,
                      const std::string& third) const;
};

std::uint32_t video_result(const VideoInstruction& instruction, std::uint32_t a, std::uint32_t b, std::uint32_t c);

/// Of one value each: all types, saturation, second operations, merges, shifts and scales; every selector several
/// times.
std::vector<VideoInstruction> scalar_video_instructions();
/// Of two or four: all types and masks, saturation and sums, with selectors and without.
std::vector<VideoInstruction> packed_video_instructions();

}  // namespace cudalabs::reference
