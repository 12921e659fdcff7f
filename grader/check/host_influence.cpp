#include "check/host_influence.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace cudalabs {
namespace {

using datasets::Array;
using vgpu::Transfer;

/// What a call can be told besides data: addresses, sizes, a grid.
constexpr std::size_t kToldByCall = 48;

/// Looks for stretches of bytes in arrays, and gives up after so many bytes that it has searched.
class Stretches {
 public:
  void add(const Array& array) { arrays_.push_back({array.data, 0}); }

  struct Found {
    std::size_t array = 0, begin = 0;
  };
  /// Where a stretch ends the next one is looked for first.
  std::optional<Found> find(std::span<const std::byte> bytes) {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      const auto& [data, next] = arrays_[i];
      if (data.size() - next >= bytes.size() && std::ranges::equal(data.subspan(next, bytes.size()), bytes))
        return found(i, next, bytes.size());
    }
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      const std::span<const std::byte> data = arrays_[i].data;
      if (data.size() > searches_left_) return {};
      searches_left_ -= data.size();
      const void* const at = ::memmem(data.data(), data.size(), bytes.data(), bytes.size());
      if (at == nullptr) continue;
      return found(i, static_cast<std::size_t>(static_cast<const std::byte*>(at) - data.data()), bytes.size());
    }
    return {};
  }

 private:
  struct Searched {
    std::span<const std::byte> data;
    std::size_t next;
  };

  Found found(std::size_t array, std::size_t begin, std::size_t bytes) {
    arrays_[array].next = begin + bytes == arrays_[array].data.size() ? 0 : begin + bytes;
    return {array, begin};
  }

  std::vector<Searched> arrays_;
  std::size_t searches_left_ = 64u << 20;
};

bool is_one_value(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [&](std::byte value) { return value == bytes.front(); });
}

bool brings_only_inputs(const CaseRun& case_run) {
  Stretches inputs;
  for (const Array& input : case_run.test.inputs) inputs.add(input);
  if (case_run.before) {
    for (const Array& input : case_run.before->inputs) inputs.add(input);
  }
  return std::ranges::all_of(case_run.observed.transfers.transfers, [&](const Transfer& transfer) {
    return transfer.kind != Transfer::Kind::to_device || is_one_value(transfer.data) || inputs.find(transfer.data);
  });
}

bool outputs_came_back(const CaseRun& case_run) {
  const std::vector<Array>& outputs = case_run.observed.outputs;
  Stretches stretches;
  for (const Array& output : outputs) stretches.add(output);
  using Range = std::pair<std::size_t, std::size_t>;
  std::vector<std::vector<Range>> came(outputs.size());
  for (const Transfer& transfer : case_run.observed.transfers.transfers) {
    if (transfer.kind != Transfer::Kind::to_host || transfer.data.empty()) continue;
    if (const auto found = stretches.find(transfer.data))
      came[found->array].emplace_back(found->begin, found->begin + transfer.data.size());
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::ranges::sort(came[i]);
    std::size_t known = 0;
    for (const auto& [begin, end] : came[i]) {
      if (begin > known) return false;
      known = std::max(known, end);
    }
    if (known < outputs[i].data.size()) return false;
  }
  return true;
}

}  // namespace

bool host_may_have_computed(const CaseRun& case_run) {
  const vgpu::TransferLog& log = case_run.observed.transfers;
  if (!log.complete) return true;
  std::size_t told = 0, wanted = 0;
  for (const Transfer& transfer : log.transfers) {
    if (transfer.kind == Transfer::Kind::to_host || transfer.kind == Transfer::Kind::print) continue;
    told += kToldByCall + (transfer.kind == Transfer::Kind::launch ? transfer.data.size() : 0);
  }
  for (const Array& output : case_run.observed.outputs) wanted += output.data.size();
  return told >= wanted || !brings_only_inputs(case_run) || !outputs_came_back(case_run);
}

bool host_may_have_read(const CaseRun& case_run) {
  const Observation& observed = case_run.observed;
  const auto count = [&](Transfer::Kind kind) {
    return std::ranges::count(observed.transfers.transfers, kind, &Transfer::kind);
  };
  const auto copies = count(Transfer::Kind::to_host);
  return observed.launches.empty() || !observed.transfers.complete || count(Transfer::Kind::print) > 0 ||
         std::cmp_greater(copies, observed.outputs.size() + observed.outputs_before.size());
}

}  // namespace cudalabs
