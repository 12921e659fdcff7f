// The copy that brings an output of the host back, where elements of the output were never written, or should not have
// been.
#include "check/result_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "check/writer_place.h"
#include "text/told_lines.h"

namespace cudalabs {
namespace {

bool on_device(std::string_view output, const Observation& observed) {
  return std::ranges::find(observed.on_device, output) != observed.on_device.end();
}

std::string in_calls(const vgpu::HostCopy& copy) {
  return copy.calls == 1 ? "" : fmt::format(" in {} calls", copy.calls);
}

/// It brought bytes that nothing had written.
bool brings_unwritten(Mismatch& mismatch, const ResultCopy& result) {
  const vgpu::HostCopy& copy = result.copy;
  Finding& finding = mismatch.finding;
  if (!copy.elsewhere) name_incomplete_store(mismatch, copy.writers);
  finding.note += fmt::format("\n`{}` copies {} bytes{} to the host; nothing on the device wrote {} of them", copy.name,
                              copy.bytes, in_calls(copy), copy.unwritten);
  if (finding.where.known()) {
    finding.other = OtherPlace{"the copy to the host", result.where, {}, {}, PlaceRole::copy_to_host};
    return false;
  }
  finding.where = result.where;
  if (copy.writers.empty()) {
    finding.note += ", and no kernel stored to this array";
    finding.help = "compare the array that the kernel gets with the array that is copied back";
    return true;
  }
  if (!copy.elsewhere) return false;
  finding.note += ", but as many bytes at other places of the array";
  finding.help =
      "the elements do not lie in the array as the copy takes them: rows of `cudaMallocPitch` are copied with "
      "`cudaMemcpy2D` and the pitch, and element i lies at place i";
  finding.other = OtherPlace{"a kernel stores here", copy.writers.front().where, {}, {}};
  return true;
}

/// All that was copied had been written.
void brings_too_little(Mismatch& mismatch, const Observation& observed, std::uint64_t bytes_of_output) {
  std::uint64_t copied = 0, calls = 0;
  for (const ResultCopy& result : observed.copies) {
    copied += result.copy.bytes;
    calls += result.copy.calls;
  }
  const ResultCopy& last = observed.copies.back();
  Finding& finding = mismatch.finding;
  finding.where = last.where;
  const std::string how = calls == 1 ? "" : fmt::format(" in {} calls", calls);
  if (copied < bytes_of_output) {
    finding.note +=
        fmt::format("\n`{}` copies {} of {} bytes to the host{}", last.copy.name, copied, bytes_of_output, how);
    finding.help =
        "the size of a copy is in bytes: the number of elements times the size of one, such as `sizeof(float)`";
    return;
  }
  finding.note += fmt::format(
      "\n`{}` copies {} bytes to the host{}, enough for all {} bytes of `{}`, but not to where "
      "elements are missing",
      last.copy.name, copied, how, bytes_of_output, mismatch.output);
  finding.help = "look at the pointers that the copy gets: the first says where the bytes go on the host";
}

/// Nothing was copied to the host after a kernel had run, neither by a call nor through unified memory. Where outputs
/// lie on the device, who knows whether this one is the host's own.
bool nothing_came_back(const Mismatch& mismatch, const Observation& observed) {
  return observed.copies.empty() && !observed.launches.empty() && !observed.has_managed && observed.on_device.empty() &&
         mismatch.finding.count == static_cast<std::uint64_t>(mismatch.elements);
}

void say_nothing_came_back(Mismatch& mismatch, const Observation& observed) {
  Finding& finding = mismatch.finding;
  std::vector<vgpu::ArrayWriter> writers;
  std::ranges::copy_if(observed.writers, std::back_inserter(writers),
                       [](const vgpu::ArrayWriter& writer) { return writer.array.empty(); });
  name_incomplete_store(mismatch, writers);
  const auto early =
      std::ranges::find_if(observed.early_copies, [](const ResultCopy& result) { return result.copy.unwritten > 0; });
  if (early == observed.early_copies.end()) {
    finding.message += ": no copy to the host comes after the kernel";
    finding.help = fmt::format(
        "the result is still on the device: after the launch copy it back, such as by `cudaMemcpy({0}, d_{0}, bytes, "
        "cudaMemcpyDeviceToHost)`",
        mismatch.output);
    return;
  }
  finding.message += ": the copy to the host comes before the kernel";
  finding.help = "a copy takes what the array holds when the copy is made: move it after the launch";
  if (finding.where.known()) finding.other = OtherPlace{"the kernel stores here, later", finding.where, {}, {}};
  finding.where = early->where;
  finding.kernel.clear();
}

/// The copy that filled the output, last of all; null where none did.
const ResultCopy* last_copy(const Observation& observed) {
  if (!observed.copies.empty()) return &observed.copies.back();
  return observed.early_copies.empty() ? nullptr : &observed.early_copies.back();
}

/// What stands in the output is part of the result.
bool holds_results(const Comparison& comparison) {
  const auto touched = comparison.first(Fault::touched);
  return touched && std::abs(touched->got - touched->expected) <= touched->bound;
}

/// The program copied first, and asked for the error then.
bool asks_after_copy(const Observation& observed, const ResultCopy& copy, const WatchedCall& asked) {
  const auto& calls = observed.after_failure;
  const auto place_of = [&](const std::string& name, const SourcePlace& where) {
    return std::ranges::find_if(calls,
                                [&](const WatchedCall& call) { return call.name == name && call.where == where; });
  };
  const auto question = place_of(asked.name, asked.where);
  return question != calls.end() && place_of(copy.copy.name, copy.where) < question;
}

/// An output was written in a case in which a call failed: by a copy before it, or after the call that told of it.
void name_failure(Mismatch& mismatch, const Comparison& comparison, const Observation& observed) {
  if (!observed.made_to_fail) return;
  const FailedCall& failed = *observed.made_to_fail;
  const ResultCopy* copy = last_copy(observed);
  Finding& finding = mismatch.finding;
  if (copy != nullptr && holds_results(comparison)) {
    mismatch.after_failure = false;
    replace_end(finding.message, kAlthoughFailed, ", and a later call failed");
    finding.message += ": this copy comes before all calls have succeeded";
    finding.where = copy->where;
    finding.other = OtherPlace{"the call that failed, later", failed.where, {}, {}};
    finding.help = fmt::format(
        "keep the parts on the device until every call has succeeded, and copy to `{}` after that: its caller may "
        "still need what is there",
        mismatch.output);
    return;
  }
  if (copy != nullptr && failed.asked && asks_after_copy(observed, *copy, *failed.asked)) {
    finding.message += ": this copy comes before the question for the error of the launch";
    finding.where = copy->where;
    finding.other = OtherPlace{
        fmt::format("`{}` returns the error here: too late", failed.asked->name), failed.asked->where, {}, {}};
    finding.help = fmt::format(
        "call `{}()` right after the launch, and where it is not `cudaSuccess`, copy nothing to the output, whose "
        "caller may still need what is there: free what is allocated, and return",
        failed.asked->name);
    return;
  }
  if (failed.asked) {
    finding.message += returns_error(failed.asked->name);
    finding.failed_call = failed.asked->name;
    finding.where = failed.asked->where;
  } else {
    finding.message += ": this launch failed, and the program goes on";
    finding.where = failed.where;
  }
  if (copy != nullptr) finding.other = OtherPlace{"the copy to the host, after the failure", copy->where, {}, {}};
}

/// An output on the device that no kernel stored to last: a call of the host has put there what it holds.
bool name_host_write(Mismatch& mismatch, const Observation& observed) {
  Finding& finding = mismatch.finding;
  const auto stored = std::ranges::find(observed.writers, mismatch.output, &vgpu::ArrayWriter::array);
  const auto write = std::ranges::find(observed.host_writes, mismatch.output, &HostWrite::array);
  const bool everywhere = finding.count == static_cast<std::uint64_t>(mismatch.elements);
  if (!everywhere || observed.launches.empty() || stored != observed.writers.end() ||
      write == observed.host_writes.end() || !write->where.known())
    return false;
  if (mismatch.fault == Fault::unwritten) {
    finding.where = write->where;
    finding.note += fmt::format("\n`{}` fills it with what nothing has written", write->name);
    finding.help =
        "look at the source of the copy: which array holds the result after the last launch, and is it this one?";
    return true;
  }
  if (!mismatch.pattern || mismatch.pattern->kind != ValueKind::zero) return false;
  finding.where = write->where;
  finding.note += fmt::format("\n`{}` is the last that writes to it, and no kernel", write->name);
  finding.help = "what has to be 0 first is cleared before the launch: a fill after it destroys the result";
  return true;
}

}  // namespace

bool name_copy(Mismatch& mismatch, const Comparison& comparison, const Observation& observed) {
  if (on_device(mismatch.output, observed)) return name_host_write(mismatch, observed);
  if (mismatch.fault == Fault::touched) name_failure(mismatch, comparison, observed);
  if (mismatch.fault != Fault::unwritten) return false;
  if (nothing_came_back(mismatch, observed)) {
    say_nothing_came_back(mismatch, observed);
    return true;
  }
  if (observed.copies.empty()) return false;
  const auto most =
      std::ranges::max_element(observed.copies, {}, [](const ResultCopy& result) { return result.copy.unwritten; });
  if (most->copy.unwritten > 0) return brings_unwritten(mismatch, *most);
  brings_too_little(mismatch, observed,
                    static_cast<std::uint64_t>(comparison.elements()) * datasets::size_in_bytes(comparison.type));
  return true;
}

std::vector<vgpu::ArrayWriter> writers_of(std::string_view output, const Observation& observed) {
  std::vector<vgpu::ArrayWriter> writers;
  if (on_device(output, observed)) return observed.writers;
  for (const ResultCopy& result : observed.copies)
    writers.insert(writers.end(), result.copy.writers.begin(), result.copy.writers.end());
  return writers.empty() ? observed.writers : writers;
}

}  // namespace cudalabs
