// What a video instruction is, apart from its registers, in the 32 bits that a micro-operation has for it.
#pragma once

#include <bit>
#include <cstdint>

#include "vgpu/exec/micro_op.h"

namespace cudalabs::vgpu::exec {

enum class VideoOperation : std::uint32_t { add, sub, average, difference, min, max, set, shl, shr, mad };
enum class VideoCompare : std::uint32_t { eq, ne, lt, le, gt, ge };
/// What is done with the third operand: nothing, a second operation, or parts of the result are put into it.
enum class VideoSecond : std::uint32_t { none, add, min, max, merge };
/// A whole operand, or a byte or half word of it.
enum class VideoPart : std::uint32_t { whole, b0, b1, b2, b3, h0, h1 };

struct VideoForm {
  VideoOperation operation : 4 = VideoOperation::add;
  std::uint32_t signed_result : 1 = 0;
  std::uint32_t signed_a : 1 = 0;
  std::uint32_t signed_b : 1 = 0;
  std::uint32_t saturates : 1 = 0;
  VideoSecond second : 3 = VideoSecond::none;
  VideoCompare compare : 3 = VideoCompare::eq;
  // Of one value
  VideoPart a : 3 = VideoPart::whole;
  VideoPart b : 3 = VideoPart::whole;
  VideoPart d : 3 = VideoPart::whole;
  std::uint32_t wraps : 1 = 0;  // a shift by the amount's last five bits, else by 32 at most
  std::uint32_t negates_product : 1 = 0, negates_addend : 1 = 0, adds_one : 1 = 0;
  std::uint32_t shift : 4 = 0;  // of mad's result: 0, 7 or 15
  std::uint32_t unused : 1 = 0;
};
static_assert(sizeof(VideoForm) == 4);

/// Executes the form, which MicroOp::extra holds, on `parts` values in each operand: 1, 2 or 4.
Handler video_handler(VideoOperation operation, std::uint32_t parts);

/// The parts of a result that are written, of several: in `a` and `b`, which such a form has no use for.
inline std::uint32_t video_mask(const VideoForm& form) {
  return static_cast<std::uint32_t>(form.a) | static_cast<std::uint32_t>(form.b) << 3;
}
inline void set_video_mask(VideoForm& form, std::uint32_t mask) {
  form.a = static_cast<VideoPart>(mask & 7);
  form.b = static_cast<VideoPart>(mask >> 3);
}

}  // namespace cudalabs::vgpu::exec
