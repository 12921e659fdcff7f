// From what travelled to the device to the copy that brought the wrong input.
#include "check/repeated_copy.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/mismatch.h"
#include "check/origin_place.h"

namespace cudalabs {

std::optional<RepeatedCopy> repeated_copy(const datasets::Case& test, const vgpu::TransferLog& log) {
  if (!log.complete) return std::nullopt;
  std::vector<std::vector<const vgpu::Transfer*>> copies(test.inputs.size());
  for (const vgpu::Transfer& transfer : log.transfers) {
    if (transfer.kind != vgpu::Transfer::Kind::to_device) continue;
    const auto input = std::ranges::find(test.inputs, transfer.data, &datasets::Array::data);
    if (input == test.inputs.end() || transfer.data.empty()) return std::nullopt;
    copies[static_cast<std::size_t>(input - test.inputs.begin())].push_back(&transfer);
  }
  const auto times = [&](std::size_t number) {
    return std::ranges::count(copies, number, [](const auto& of_input) { return of_input.size(); });
  };
  const bool once_each = times(0) == 1 && times(2) == 1 && times(0) + times(1) + times(2) == std::ssize(copies);
  if (!once_each) return std::nullopt;
  const auto size = [](const auto& of_input) { return of_input.size(); };
  const auto missing = std::ranges::find(copies, std::size_t{0}, size) - copies.begin();
  const auto twice = std::ranges::find(copies, std::size_t{2}, size) - copies.begin();
  const auto of = [&](std::ptrdiff_t input) -> const datasets::Array& {
    return test.inputs[static_cast<std::size_t>(input)];
  };
  if (of(missing).data == of(twice).data) return std::nullopt;  // nobody can tell which was copied
  const vgpu::Transfer* wrong = copies[static_cast<std::size_t>(twice)][missing > twice ? 1 : 0];
  return RepeatedCopy{of(twice).name, of(missing).name, wrong->origin};
}

void name_repeated_copy(Mismatch& mismatch, const RepeatedCopy& repeated) {
  if (mismatch.fault != Fault::wrong || !repeated.where.known()) return;
  Finding& finding = mismatch.finding;
  finding.message +=
      fmt::format("; `{}` never goes to the device, `{}` goes there twice", repeated.missing, repeated.copied);
  finding.help = fmt::format("copy `{}` here", repeated.missing);
  if (finding.where.known()) finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
  finding.where = repeated.where;
  finding.kernel.clear();
  mismatch.clarity = Clarity::values;
}

}  // namespace cudalabs
