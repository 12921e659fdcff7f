// Video instructions: on a byte, a half word or a word of each operand, or on all bytes or half words side by side
// (PTX ISA: "Video Instructions"). What the ISA leaves open is as it was found on an H200.
#include <algorithm>
#include <array>
#include <cstdint>

#include "vgpu/exec/handlers/lane_call.h"
#include "vgpu/exec/video_form.h"

namespace cudalabs::vgpu::exec {

namespace {

using Second = VideoSecond;
/// Shifts of one value and products are too wide for 64 bits.
__extension__ typedef __int128 Wide;

/// The low bits, as a number with or without a sign.
template <class T>
T video_number(T bits, std::uint32_t width, bool has_sign) {
  const T low = bits & ((T{1} << width) - 1);
  const T sign = T{has_sign} << (width - 1);
  return (low ^ sign) - sign;
}
template <class T>
T video_clamped(T value, std::uint32_t width, bool has_sign) {
  const T end = T{1} << (has_sign ? width - 1 : width);
  return std::clamp<T>(value, has_sign ? -end : 0, end - 1);
}

/// Where a part of a word begins, and how many bits it has.
struct Field {
  std::uint32_t at, width;
};
Field field_of(VideoPart part) {
  if (part == VideoPart::whole) return {0, 32};
  const auto number = static_cast<std::uint32_t>(part);
  const auto first_half = static_cast<std::uint32_t>(VideoPart::h0);
  return number < first_half ? Field{8 * (number - 1), 8} : Field{16 * (number - first_half), 16};
}
template <class T>
std::uint32_t put(std::uint32_t into, Field field, T value) {
  const std::uint32_t ones = 0xFFFF'FFFFu >> (32 - field.width);
  return (into & ~(ones << field.at)) | ((static_cast<std::uint32_t>(value) & ones) << field.at);
}

template <class T>
bool holds(VideoCompare compare, T a, T b) {
  switch (compare) {
    case VideoCompare::eq:
      return a == b;
    case VideoCompare::ne:
      return a != b;
    case VideoCompare::lt:
      return a < b;
    case VideoCompare::le:
      return a <= b;
    case VideoCompare::gt:
      return a > b;
    case VideoCompare::ge:
      return a >= b;
  }
  return false;
}

template <VideoOperation kOperation, class T>
T video_result(VideoForm form, T a, T b) {
  if constexpr (kOperation == VideoOperation::add) {
    return a + b;
  } else if constexpr (kOperation == VideoOperation::sub) {
    return a - b;
  } else if constexpr (kOperation == VideoOperation::average) {
    return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
  } else if constexpr (kOperation == VideoOperation::difference) {
    return a < b ? b - a : a - b;
  } else if constexpr (kOperation == VideoOperation::min) {
    return std::min(a, b);
  } else if constexpr (kOperation == VideoOperation::max) {
    return std::max(a, b);
  } else if constexpr (kOperation == VideoOperation::set) {
    return holds(form.compare, a, b) ? 1 : 0;
  } else {
    const auto by = static_cast<std::uint32_t>(form.wraps != 0 ? b & 31 : std::min<T>(b, 32));
    return kOperation == VideoOperation::shl ? a * (T{1} << by) : a >> by;
  }
}

/// The smaller or larger one of a result and the third operand. With a sign a sum or difference has lost before what
/// does not fit into 32 bits; without one a negative result is a large number.
template <VideoOperation kOperation>
Wide second_choice(VideoForm form, Wide result, std::uint32_t c) {
  constexpr bool kSum = kOperation == VideoOperation::add || kOperation == VideoOperation::sub;
  const bool has_sign = form.signed_result != 0;
  if (has_sign && kSum) result = video_number<Wide>(result, 32, true);
  if (!has_sign && result < 0) result += Wide{1} << 64;
  const Wide other = video_number<Wide>(c, 32, has_sign);
  return form.second == Second::min ? std::min(result, other) : std::max(result, other);
}

template <VideoOperation kOperation>
std::uint32_t on_one(std::uint32_t a, std::uint32_t b, std::uint32_t c, const MicroOp& op) {
  const auto form = std::bit_cast<VideoForm>(op.extra);
  const Field from_a = field_of(form.a), from_b = field_of(form.b), to = field_of(form.d);
  Wide result =
      video_result<kOperation, Wide>(form, video_number<Wide>(a >> from_a.at, from_a.width, form.signed_a != 0),
                                     video_number<Wide>(b >> from_b.at, from_b.width, form.signed_b != 0));
  if (form.saturates != 0) {
    // Of a result 34 bits count: a shift may have lost some.
    result = video_clamped(video_number<Wide>(result, 34, true), to.width, form.signed_result != 0);
  }
  switch (form.second) {
    case Second::none:
      break;
    case Second::add:
      result += c;
      break;
    case Second::min:
    case Second::max:
      result = second_choice<kOperation>(form, result, c);
      break;
    case Second::merge:
      return put(c, to, result);
  }
  return static_cast<std::uint32_t>(result);
}

std::uint32_t multiply_and_add(std::uint32_t a, std::uint32_t b, std::uint32_t c, const MicroOp& op) {
  const auto form = std::bit_cast<VideoForm>(op.extra);
  const Field from_a = field_of(form.a), from_b = field_of(form.b);
  const bool has_sign =
      form.signed_a != 0 || form.signed_b != 0 || form.negates_product != 0 || form.negates_addend != 0;
  const Wide product = video_number<Wide>(a >> from_a.at, from_a.width, form.signed_a != 0) *
                       video_number<Wide>(b >> from_b.at, from_b.width, form.signed_b != 0);
  const Wide addend = video_number<Wide>(c, 32, has_sign);
  Wide sum = (form.negates_product != 0 ? -product : product) + (form.negates_addend != 0 ? -addend : addend);
  sum = (sum + form.adds_one) >> form.shift;
  return static_cast<std::uint32_t>(form.saturates != 0 ? video_clamped(sum, 32, has_sign) : sum);
}

template <VideoOperation kOperation, std::uint32_t kParts>
std::uint32_t on_several(std::uint32_t a, std::uint32_t b, std::uint32_t c, const MicroOp& op) {
  constexpr std::uint32_t kWidth = 32 / kParts;
  const auto form = std::bit_cast<VideoForm>(op.extra);
  const std::uint32_t mask = video_mask(form);
  std::uint32_t result = c;
  for (std::uint32_t i = 0; i < kParts; ++i) {
    if ((mask >> i & 1) == 0) continue;
    std::int64_t value = video_result<kOperation, std::int64_t>(
        form, video_number<std::int64_t>(a >> i * kWidth, kWidth, form.signed_a != 0),
        video_number<std::int64_t>(b >> i * kWidth, kWidth, form.signed_b != 0));
    if (form.second == Second::add) {
      result += static_cast<std::uint32_t>(value);
      continue;
    }
    if (form.saturates != 0) value = video_clamped(value, kWidth, form.signed_result != 0);
    result = put(result, {i * kWidth, kWidth}, value);
  }
  return result;
}

template <VideoOperation kOperation>
Handler with_parts(std::uint32_t parts) {
  if (parts == 1) return &LaneCall<&on_one<kOperation>>::run;
  return parts == 2 ? &LaneCall<&on_several<kOperation, 2>>::run : &LaneCall<&on_several<kOperation, 4>>::run;
}

}  // namespace

Handler video_handler(VideoOperation operation, std::uint32_t parts) {
  switch (operation) {
    case VideoOperation::add:
      return with_parts<VideoOperation::add>(parts);
    case VideoOperation::sub:
      return with_parts<VideoOperation::sub>(parts);
    case VideoOperation::average:
      return with_parts<VideoOperation::average>(parts);
    case VideoOperation::difference:
      return with_parts<VideoOperation::difference>(parts);
    case VideoOperation::min:
      return with_parts<VideoOperation::min>(parts);
    case VideoOperation::max:
      return with_parts<VideoOperation::max>(parts);
    case VideoOperation::set:
      return with_parts<VideoOperation::set>(parts);
    case VideoOperation::shl:
      return &LaneCall<&on_one<VideoOperation::shl>>::run;
    case VideoOperation::shr:
      return &LaneCall<&on_one<VideoOperation::shr>>::run;
    case VideoOperation::mad:
      return &LaneCall<&multiply_and_add>::run;
  }
  return nullptr;
}

}  // namespace cudalabs::vgpu::exec
