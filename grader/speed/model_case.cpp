// What a function is given where its time is modelled, made once.
#include "speed/model_case.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "datasets/timed_work.h"
#include "speed/baseline.h"

namespace cudalabs::speed {
namespace {

constexpr std::uint64_t kSeed = 1;

/// Stretches of each output that are looked at, and elements of each.
constexpr std::int64_t kStretches = 16, kElements = 64;

std::vector<ModelCase::Sample> samples_of(const datasets::TimedWork& work) {
  const std::vector<std::int64_t> windows(work.pools().size(), 0);
  const std::vector<datasets::OutputShape> outputs = work.outputs();
  std::vector<ModelCase::Sample> samples;
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    const std::int64_t elements = outputs[output].elements, count = std::min(elements, kElements);
    for (std::int64_t stretch = 0; stretch < kStretches; ++stretch) {
      ModelCase::Sample sample{output, (elements - count) * stretch / (kStretches - 1), {}, {}};
      sample.value.resize(static_cast<std::size_t>(count));
      sample.bound.resize(sample.value.size());
      work.expect(windows, output, sample.first, sample.value, sample.bound);
      samples.push_back(std::move(sample));
      if (elements == count) break;
    }
  }
  return samples;
}

ModelCase made(const std::string& name, const std::map<std::string, std::int64_t>& parameters) {
  const std::unique_ptr<datasets::TimedWork> work = timed_work(name, parameters);
  ModelCase made;
  made.test.spec.name = "model";
  made.test.spec.parameters = parameters;
  for (const datasets::PoolShape& pool : work->pools()) {
    made.test.inputs.push_back({pool.name, pool.type, {pool.window}, {}});
  }
  for (const datasets::OutputShape& output : work->outputs()) {
    made.test.expected.push_back({output.name, output.type, {output.elements}, {}, {}});
  }
  std::vector<std::span<const std::byte>> filled;
  made.inputs =
      std::make_shared<const runner::CaseInputs>(made.test, [&](std::size_t input, std::span<std::byte> values) {
        work->fill(input, values, kSeed + input);
        filled.emplace_back(values);
        if (filled.size() < made.test.inputs.size()) return;
        work->attach(std::move(filled));  // while all of them are mapped
        made.samples = samples_of(*work);
      });
  return made;
}

}  // namespace

std::uint64_t ModelCase::bytes() const {
  std::uint64_t bytes = 0;
  const auto add = [&](const auto& array) {
    bytes += static_cast<std::uint64_t>(array.elements()) * datasets::size_in_bytes(array.type);
  };
  for (const datasets::Array& input : test.inputs) add(input);
  for (const datasets::ExpectedArray& output : test.expected) add(output);
  return bytes;
}

const ModelCase& model_case(const std::string& work, const std::map<std::string, std::int64_t>& parameters) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::map<std::string, std::int64_t>>, ModelCase> known;
  const std::lock_guard lock(mutex);
  const auto at = known.find({work, parameters});
  return at != known.end() ? at->second
                           : known.emplace(std::pair(work, parameters), made(work, parameters)).first->second;
}

}  // namespace cudalabs::speed
