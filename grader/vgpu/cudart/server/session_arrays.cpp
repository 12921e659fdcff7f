// The session's arrays that belong to the caller of the program under test: declared, overwritten, taken back.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/server/session_types.h"

namespace cudalabs::vgpu {

namespace {

/// Nothing where they are not known; throws where they are not those of so many elements.
std::vector<std::uint64_t> extents_of(const wire::DeclareInput& declared) {
  std::vector<std::uint64_t> extents;
  std::uint64_t left = declared.bytes / declared.element_bytes;
  for (const std::uint64_t extent : declared.extents) {
    if (extent == 0) break;
    if (left % extent != 0) throw ProtocolViolation{"an array of another size than its dimensions"};
    left /= extent;
    extents.push_back(extent);
  }
  if (!extents.empty() && left != 1) throw ProtocolViolation{"an array of another size than its dimensions"};
  return extents;
}

}  // namespace

void Session::declare_input(Request& request) {
  const auto declared = request.as<wire::DeclareInput>();
  const std::string_view name(declared.name, strnlen(declared.name, sizeof declared.name));
  const auto may_stand_in_names = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (name.size() == sizeof declared.name || !std::ranges::all_of(name, may_stand_in_names))
    throw ProtocolViolation{"an input whose name is none"};
  if (declared.element_bytes == 0 || declared.bytes == 0 || inputs_.size() + outputs_.size() >= limits_.inputs ||
      !addresses_.holds(declared.address, declared.bytes))
    return reply(request, cudaErrorInvalidValue);
  drain();
  InputArray array{declared.address, declared.bytes, declared.element_bytes, std::string(name), extents_of(declared)};
  if (declared.writable != 0) {
    outputs_.push_back(array);
    if (std::ranges::find(on_device_, array.name) == on_device_.end() && on_device_.size() < limits_.inputs)
      on_device_.push_back(array.name);
    gpu_.declare_output(std::move(array));
  } else {
    inputs_.push_back(array);
    gpu_.declare_input(std::move(array));
  }
  reply(request, cudaSuccess);
}

void Session::take_back(Request& request) {
  inputs_.clear();
  taken_outputs_ = std::exchange(outputs_, {});
  // The program cannot wait any more: its caller does not know of the copy.
  for (const auto& [id, copy] : deferred_) note_too_early(*copy, {}, {});
  taken_back_ = true;
  reply(request, cudaSuccess);
}

void Session::next_function(Request& request) {
  failing_calls_.next_function();
  calls_.next_function();
  ++function_calls_;
  reply(request, cudaSuccess);
}

/// The function that is judged begins, perhaps once more: what is told of its copies is that of the last call.
void Session::hand_out(Request& request) {
  drain();
  failing_calls_.hand_out();
  taken_back_ = false;
  launches_before_ = launch_count_;
  ++function_calls_;
  {
    const std::scoped_lock lock(mutex_);
    host_copies_ = {};
    gaps_.clear();
    host_writes_.clear();
  }
  reply(request, cudaSuccess);
}

/// The caller copies these rows back: an output, as it was left.
void Session::note_gaps(const wire::Rows& rows) {
  const auto is_it = [&](const InputArray& output) {
    return output.address == rows.address && output.bytes == rows.width * rows.height;
  };
  const auto output = std::ranges::find_if(taken_outputs_, is_it);
  if (output == taken_outputs_.end()) return;
  auto unwritten = gpu_.unwritten(output->address, output->bytes, OutputGaps::kMost);
  if (!unwritten) return;
  for (ByteRange& range : *unwritten) range = {range.begin - output->address, range.end - output->address};
  const std::scoped_lock lock(mutex_);
  gaps_.push_back({output->name, *std::move(unwritten)});
  taken_outputs_.erase(output);
}

/// A call of the host is about to write these rows: a finding when one of them is an input's, and worth knowing when it
/// is an output's.
void Session::note_host_write(const Request& request, const wire::Rows& rows) {
  AddressMap::Block& block = *addresses_.at_or_before(rows.address).block;
  block.host_wrote = true;
  auto& writes = launch_count_ > block.launches_before ? block.late_writes : block.early_writes;
  if (writes.size() < AddressMap::Block::kMostWrites) {
    const bool without_gaps = rows.height == 1 || rows.pitch == rows.width;
    const std::uint64_t width = without_gaps ? rows.width * rows.height : rows.width;
    writes.push_back({request.origin(), request.call_name(), rows.address, width, rows.pitch,
                      without_gaps ? 1 : rows.height, launch_count_});
  } else {
    block.has_more_writes = true;
  }
  for (const InputArray& output : outputs_) {
    if (!output.meets(rows.address, rows.pitch * (rows.height - 1) + rows.width)) continue;
    const std::scoped_lock lock(mutex_);
    std::erase_if(host_writes_, [&](const HostWrite& known) { return known.array == output.name; });
    if (host_writes_.size() < limits_.inputs)
      host_writes_.push_back({output.name, std::string(request.call_name()), request.origin()});
  }
  for (const InputArray& input : inputs_) {
    if (!input.meets(rows.address, rows.pitch * (rows.height - 1) + rows.width)) continue;
    std::uint64_t first = std::max(rows.address, input.address);  // of the input's bytes in the rows
    if (const std::uint64_t in_row = (first - rows.address) % std::max<std::uint64_t>(rows.pitch, 1);
        rows.height > 1 && in_row >= rows.width)
      first += rows.pitch - in_row;
    if (first >= input.address + input.bytes) continue;
    const auto same_call = [&](const HostFinding& known) {
      return known.origin == request.origin() && known.finding.note.starts_with("`" + input.name + "`");
    };
    if (const auto known = std::ranges::find_if(overwritten_, same_call); known != overwritten_.end()) {
      ++known->finding.count;
      continue;
    }
    if (overwritten_.size() >= limits_.inputs) return;
    Finding finding;
    finding.id = finding_ids::kInputOverwritten;
    finding.message =
        fmt::format("`{}` writes to `{}`, which the function may only read", request.call_name(), input.element(first));
    finding.note = fmt::format("`{}` is an input: the caller still needs it as it was", input.name);
    finding.help = "write results to the output, and what lies in between to an array of your own (`cudaMalloc`)";
    overwritten_.push_back({std::move(finding), request.origin()});
  }
}

}  // namespace cudalabs::vgpu
