// What the host wrote, held against the address that a kernel has read.
#include "vgpu/cudart/server/unwritten_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "text/enumeration.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::vgpu {
namespace {

using Write = AddressMap::Block::Write;

/// The first write to the address after the launch; null: there is none.
const Write* late_write(const Finding& finding, const AddressMap::Block& block, std::uint64_t launch) {
  const auto found = std::ranges::find_if(block.late_writes, [&](const Write& write) {
    return write.launches >= launch && write.covers(*finding.address);
  });
  return found == block.late_writes.end() ? nullptr : &*found;
}

/// In the order of the calls.
std::vector<const Write*> writes_before(const AddressMap::Block& block, std::uint64_t launch) {
  std::vector<const Write*> before;
  for (const auto* writes : {&block.early_writes, &block.late_writes}) {
    for (const Write& write : *writes)
      if (write.launches < launch) before.push_back(&write);
  }
  return before;
}

std::uint32_t covered_by(const Write& write, const Finding& finding) {
  std::uint32_t covered = 0;
  for (std::uint32_t i = 0; i < finding.access.bytes; ++i) covered += write.covers(*finding.address + i) ? 1 : 0;
  return covered;
}

/// "bytes 0 to 255", or "16 rows of 4000 bytes, 4096 apart, from byte 0 on".
std::string extent_of(const Write& write, const AddressMap::Block& block) {
  const std::uint64_t first = write.begin - block.address;
  if (write.rows > 1) {
    return fmt::format("{} rows of {} bytes, {} apart, from byte {} on", write.rows, write.width, write.pitch, first);
  }
  return write.width == 1 ? fmt::format("byte {}", first)
                          : fmt::format("bytes {} to {}", first, first + write.width - 1);
}

/// Other rows are a pitch apart, and this call begins where its row would begin if they were not.
std::string without_pitch(const Write& write, const std::vector<const Write*>& before, const AddressMap::Block& block,
                          std::uint64_t read) {
  for (const Write* rows : before) {
    const std::uint64_t first = write.begin - block.address;
    if (rows->rows < 2 || rows->begin != block.address || first == 0 || first % rows->width != 0) continue;
    const std::uint64_t row = first / rows->width;
    if (row * rows->pitch == first || (read - block.address) / rows->pitch != row) continue;
    return fmt::format(
        "this call begins at {0} · {1} bytes, and row {0} at {0} · {2}: rows are {2} bytes apart, which is the pitch",
        row, rows->width, rows->pitch);
  }
  return {};
}

/// Only some bytes of the element.
void name_cut_element(Finding& finding, const Write& write, std::uint32_t covered) {
  finding.message = "read of global memory that is written only in part";
  finding.other = OtherPlace{
      fmt::format("`{}` writes {} of these {} bytes here", write.call, covered, finding.access.bytes), {}, {}, {}};
  finding.help = fmt::format(
      "the size that `{}` is given is in bytes: pass the number of elements times the `sizeof` of one", write.call);
}

/// From where the call begins to the end of the array are as many elements as it writes bytes.
bool counts_elements(const Write& write, const AddressMap::Block& block, std::uint64_t element_bytes) {
  if (write.rows != 1 || element_bytes < 2 || write.begin < block.address) return false;
  return write.width * element_bytes == block.address + block.bytes - write.begin;
}

/// The address is not written, and would be if the width, or the size, were the number of elements.
bool reaches_as_elements(const Write& write, const AddressMap::Block& block, std::uint64_t address,
                         std::uint64_t element_bytes) {
  if (address < write.begin || write.width == 0) return false;
  const std::uint64_t offset = address - write.begin, wanted = write.width * element_bytes;
  const bool fits = write.begin + wanted <= block.address + block.bytes;
  if (write.rows < 2) return fits && offset >= write.width && offset < wanted;
  const std::uint64_t in_row = write.pitch == 0 ? 0 : offset % write.pitch;
  return wanted <= write.pitch && offset / write.pitch < write.rows && in_row >= write.width && in_row < wanted;
}

/// A later call writes all that `write` does of a row, or of the array.
bool is_overwritten(const Write& write, const Write& later) {
  if (write.rows > 1)
    return later.rows > 1 && later.pitch == write.pitch && later.begin == write.begin && later.width >= write.width;
  return later.rows < 2 && later.begin <= write.begin && later.begin + later.width >= write.begin + write.width;
}

/// The access is of several elements, and the write ends behind a whole one; it has room for no more than it writes, as
/// one whose size counts elements would have.
bool ends_between_elements(const Write& write, const AddressMap::Block& block, std::uint32_t covered,
                           std::uint32_t bytes) {
  constexpr std::uint32_t kSmallestVector = 16, kElement = 4;
  if (bytes < kSmallestVector || covered % kElement != 0) return false;
  const std::uint64_t as_elements = write.width * kElement;
  return write.rows > 1 ? as_elements > write.pitch : as_elements > block.address + block.bytes - write.begin;
}

/// The only one that would have written to the address if it counted elements, and that is of no use as it is, for a
/// later call writes the same bytes. Null: there is none, or another one may be meant.
const Write* useless_fill(const Finding& finding, const std::vector<const Write*>& before,
                          const AddressMap::Block& block) {
  constexpr std::uint32_t kLargestElement = 8;  // a larger access may be of several elements
  if (finding.access.bytes < 2 || finding.access.bytes > kLargestElement) return nullptr;
  const Write* found = nullptr;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!reaches_as_elements(*before[i], block, *finding.address, finding.access.bytes)) continue;
    if (found != nullptr) return nullptr;
    const bool useless = std::any_of(before.begin() + static_cast<std::ptrdiff_t>(i) + 1, before.end(),
                                     [&](const Write* later) { return is_overwritten(*before[i], *later); });
    if (!useless) return nullptr;
    found = before[i];
  }
  return found;
}

void name_narrow_rows(Finding& finding, const Write& write) {
  const std::uint64_t needed = write.width * finding.access.bytes;
  finding.other = OtherPlace{
      fmt::format("`{}` writes {} of {} bytes of each row here", write.call, write.width, needed), {}, {}, {}};
  finding.help = fmt::format(
      "the width that `{}` is given is in bytes, and {} elements of {} bytes are {} bytes: pass the number of elements "
      "times the `sizeof` of one",
      write.call, write.width, finding.access.bytes, needed);
}

/// "`cudaMemset` (bytes 0 to 63) and `cudaMemcpy` (bytes 128 to 255)"; empty: they are too many to be told.
std::string list_of(const std::vector<const Write*>& writes, const AddressMap::Block& block) {
  constexpr std::size_t kMostTold = 4;
  if (writes.size() > kMostTold) return {};
  std::vector<std::string> told;
  for (const Write* write : writes) told.push_back(fmt::format("`{}` ({})", write->call, extent_of(*write, block)));
  return enumeration(told);
}

void name_missing_sizeof(Finding& finding, const Write& write, const AddressMap::Block& block) {
  const std::uint64_t first = write.begin - block.address, needed = write.width * finding.access.bytes;
  finding.other =
      OtherPlace{fmt::format("`{}` writes {} of {} bytes here{}", write.call, write.width, needed,
                             first == 0 ? std::string() : fmt::format(", from byte {} of the array on", first)),
                 {},
                 {},
                 {}};
  finding.help = fmt::format(
      "the size that `{}` is given is in bytes, and {} elements of {} bytes are {} bytes: pass the number of elements "
      "times the `sizeof` of one",
      write.call, write.width, finding.access.bytes, needed);
}

void name_part_of_array(Finding& finding, const Write& write, const std::vector<const Write*>& before,
                        const AddressMap::Block& block) {
  const bool only = before.size() == 1;
  finding.other = OtherPlace{fmt::format("`{}` writes {} of the array here{}", write.call, extent_of(write, block),
                                         only ? "" : ", as the last call before the launch"),
                             {},
                             {},
                             {},
                             PlaceRole::unsaid,
                             std::string(write.call)};
  const std::size_t question = finding.help.find("; sizes of copies");
  const std::string more = question == std::string::npos ? std::string() : finding.help.substr(question);
  finding.help = without_pitch(write, before, block, *finding.address);
  if (finding.help.empty() && !only) {
    const std::string calls = list_of(before, block);
    finding.help = fmt::format(
        "{} calls write to this array before the launch{}: compare what each writes with what the kernel reads, where "
        "it begins and how much it is, in bytes{}",
        before.size(), calls.empty() ? "" : ", " + calls, more);
  } else if (finding.help.empty()) {
    finding.help = {Advice::compare_writes, fmt::format("{}{}", words_of(Advice::compare_writes), more)};
  }
}

/// Kernels alone have written: no copy or fill ends where `sizeof` seems to be missing.
void drop_question(Help& help) {
  const std::size_t question = help.find("; sizes of copies");
  if (question != std::string::npos) help.erase(question);
}

/// "add_up" of "(anonymous namespace)::add_up<float>"
std::string_view name_in_source(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  const std::size_t scope = kernel.rfind(':');
  return scope == std::string_view::npos ? kernel : kernel.substr(scope + 1);
}

}  // namespace

std::optional<NamedWrite> name_host_write(Finding& finding, const AddressMap::Block& block, std::uint64_t launch,
                                          bool by_kernels) {
  if (!finding.address) return std::nullopt;
  if (const Write* late = late_write(finding, block, launch)) {
    finding.message = "read of global memory that nobody has written yet: it is filled after the launch";
    finding.other = OtherPlace{fmt::format("`{}` fills it here, too late", late->call),
                               {},
                               {},
                               {},
                               PlaceRole::unsaid,
                               std::string(late->call)};
    finding.help = fmt::format(
        "move this call before the launch of `{}`: a kernel uses what its arrays hold when it runs", finding.kernel);
    return NamedWrite{late->origin, true};
  }
  const std::vector<const Write*> before = writes_before(block, launch);
  // Unified memory the host writes to without a call.
  const bool by_calls = !block.has_more_writes && !block.managed && !block.page_locked;
  if (before.empty() && by_kernels && by_calls) drop_question(finding.help);
  if (before.empty() || block.has_more_writes || block.managed || block.page_locked) return std::nullopt;
  const auto meets = [&](const Write* write) { return covered_by(*write, finding) != 0; };
  const auto cut = std::find_if(before.rbegin(), before.rend(), meets);
  if (cut != before.rend()) {
    const std::uint32_t covered = covered_by(**cut, finding);
    if (covered == finding.access.bytes) return std::nullopt;
    if (!by_kernels && before.size() == 1 && ends_between_elements(**cut, block, covered, finding.access.bytes)) {
      name_part_of_array(finding, **cut, before, block);
      finding.message = "read of global memory that is written only in part";
      return NamedWrite{(*cut)->origin};
    }
    name_cut_element(finding, **cut, covered);
    return NamedWrite{(*cut)->origin};
  }
  const auto counted = std::find_if(before.rbegin(), before.rend(), [&](const Write* write) {
    return *finding.address > write->begin && counts_elements(*write, block, finding.access.bytes);
  });
  if (counted != before.rend()) {
    name_missing_sizeof(finding, **counted, block);
    return NamedWrite{(*counted)->origin};
  }
  if (const Write* const fill = useless_fill(finding, before, block)) {
    if (fill->rows > 1) {
      name_narrow_rows(finding, *fill);
    } else {
      name_missing_sizeof(finding, *fill, block);
    }
    return NamedWrite{fill->origin};
  }
  if (by_kernels) return std::nullopt;
  name_part_of_array(finding, *before.back(), before, block);
  return NamedWrite{before.back()->origin};
}

bool name_written_front(Finding& finding, std::span<const ArrayWriter> writers, std::uint64_t allocated) {
  const AccessFacts& access = finding.access;
  if (writers.empty() || access.bytes == 0 || access.written == 0 || access.written % access.bytes != 0) return false;
  const ArrayWriter& last = writers.front();
  const bool one_line =
      std::ranges::all_of(writers, [&](const ArrayWriter& writer) { return writer.where.line == last.where.line; });
  finding.message =
      fmt::format("read of global memory that nobody has written: {} elements were written, and {} are read",
                  access.written / access.bytes, (access.read_to + access.bytes - 1) / access.bytes);
  if (one_line && last.where.known())
    finding.note += fmt::format("\n`{}` wrote to it last, in line {}", name_in_source(last.kernel), last.where.line);
  finding.help =
      access.read_to == allocated
          ? "this launch reads up to the end of the allocation: if what lies behind the elements that are written is "
            "to be zeros, "
            "such as below a matrix, clear the array with `cudaMemset` before they are written; else compare how many "
            "are written with how many this launch is told to read: the counts must be the same"
          : "compare how many elements are written with how many this launch is told to read: the counts must be the "
            "same";
  return true;
}

void name_later_launch(Finding& finding, std::string_view kernel) {
  finding.message =
      fmt::format("read of global memory that nobody has written yet: a later launch of `{}` writes it", kernel);
  finding.other = OtherPlace{fmt::format("this launch of `{}` writes it, too late", kernel),
                             {},
                             {},
                             {},
                             PlaceRole::late_launch,
                             std::string(kernel)};
  finding.help =
      "launch all that writes the array before the kernel that reads it: launches of one stream run in the order of "
      "their calls";
}

void name_unordered_write(Finding& read) {
  read.help = fmt::format(
      "the two are a `{0}`, too: let `{1}` come before the launch of `{2}`, in one stream; or let the launch's stream "
      "wait for an event that is recorded after `{1}`",
      finding_ids::kStreamRace, read.other->name, read.kernel);
}

void name_wrong_order(Finding& race, const Finding& read) {
  race.help +=
      fmt::format(". Let `{}` be the first of the two: `{}` reads what it writes", read.other->name, read.kernel);
}

}  // namespace cudalabs::vgpu
