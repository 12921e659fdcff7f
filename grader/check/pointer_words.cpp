// What is wrong with the pointers of a runtime call that was refused for them.
#include "check/pointer_words.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>

namespace cudalabs {
namespace {

using vgpu::CallPointers;
using vgpu::PointerKind;

std::string_view text_of(PointerKind kind) {
  switch (kind) {
    case PointerKind::null:
      return "a null pointer";
    case PointerKind::host:
      return "a host pointer";
    case PointerKind::device:
      return "a device pointer";
    case PointerKind::stray:
      return "a device pointer to memory that is not allocated";
    case PointerKind::unsaid:
      break;
  }
  return "";
}

/// In the order of cudaMemcpyKind.
constexpr std::array<std::string_view, 5> kDirectionNames{"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                                          "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                                          "cudaMemcpyDefault"};

std::string_view direction_name(const CallPointers& pointers) {
  return kDirectionNames.at(pointers.direction - 1u);
}

bool is_on_device(PointerKind kind) {
  return kind == PointerKind::device || kind == PointerKind::stray;
}

/// Of a copy between these pointers.
std::string_view fitting_direction(const CallPointers& pointers) {
  const bool to = is_on_device(pointers.first), from = is_on_device(pointers.second);
  return kDirectionNames.at((from ? 2u : 0u) + (to ? 1u : 0u));
}

/// The source of a copy of rows is its third argument.
std::string_view place_of_source(std::string_view call) {
  return call.starts_with("cudaMemcpy2D") || call.starts_with("cudaMemcpyPeer") ? "third" : "second";
}

bool has(const CallPointers& pointers, PointerKind kind) {
  return pointers.first == kind || pointers.second == kind;
}

void name_target_of_address(Finding& finding, const WatchedCall& call) {
  finding.message = fmt::format("`{}` failed: its first argument is a null pointer", call.name);
  finding.help =
      "the call stores the address of the new memory in your pointer, so it needs the address of that pointer, with "
      "`&`: `&d_a`, and not `d_a`";
}

void name_filled(Finding& finding, const WatchedCall& call, const CallPointers& pointers) {
  finding.message = fmt::format("`{}` failed: its first argument is {}", call.name, text_of(pointers.first));
  finding.help = "it fills memory of the device: pass the pointer that `cudaMalloc` has stored an address in";
}

std::string help_with_copy(const WatchedCall& call, const CallPointers& pointers) {
  if (has(pointers, PointerKind::null) || has(pointers, PointerKind::stray)) {
    return "check that `cudaMalloc` has stored an address in the device pointer, that the host array exists, and that "
           "neither was freed before";
  }
  const std::string sides =
      fmt::format("the first argument is the target, the {} the source", place_of_source(call.name));
  if (pointers.first == pointers.second) {
    return fmt::format("{}: is one of the two the wrong array? Between two {} pointers the direction is `{}`", sides,
                       is_on_device(pointers.first) ? "device" : "host", fitting_direction(pointers));
  }
  return fmt::format("{}: exchange the two if you mean the other way, else write `{}`", sides,
                     fitting_direction(pointers));
}

void name_copied(Finding& finding, const WatchedCall& call, const CallPointers& pointers) {
  const std::string_view source = place_of_source(call.name);
  if (has(pointers, PointerKind::null)) {
    finding.message = fmt::format("`{}` failed: its {} argument is a null pointer", call.name,
                                  pointers.first == PointerKind::null ? "first" : source);
  } else {
    finding.message =
        fmt::format("`{}` failed: its first argument is {}, its {} is {}, and the direction is `{}`", call.name,
                    text_of(pointers.first), source, text_of(pointers.second), direction_name(pointers));
  }
  finding.help = help_with_copy(call, pointers);
}

}  // namespace

void name_pointers(Finding& finding, const WatchedCall& call, const CallPointers& pointers, std::string_view error) {
  finding.wrong_pointer = true;
  finding.note = fmt::format("it returned {} and did nothing", error);
  if (pointers.direction != 0) {
    name_copied(finding, call, pointers);
  } else if (call.name.starts_with("cudaMemset")) {
    name_filled(finding, call, pointers);
  } else {
    name_target_of_address(finding, call);
  }
}

}  // namespace cudalabs
