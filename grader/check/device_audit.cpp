#include "check/device_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <ranges>
#include <span>

#include "check/comparison.h"
#include "check/judge.h"
#include "datasets/host_arrays.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/word_map.h"

namespace cudalabs {
namespace {

using datasets::Array;
using datasets::Case;
using datasets::ElementType;
using datasets::ExpectedArray;
using vgpu::Transfer;
using vgpu::WordMap;

constexpr std::uint64_t kTwin = 0x7457'494e;  // added to a seed: another one
constexpr int kMostTries = 8;

/// Some element that is right in the one is wrong in the other.
bool tell_apart(const ExpectedArray& one, const ExpectedArray& other) {
  if (one.demand != datasets::Demand::value || one.value.size() != other.value.size()) return false;
  for (std::size_t i = 0; i < one.value.size(); ++i) {
    if (std::abs(one.value[i] - other.value[i]) > one.bound[i] + other.bound[i]) return true;
  }
  return false;
}

bool tell_apart(const Case& one, const Case& other) {
  return std::ranges::equal(one.expected, other.expected,
                            [](const auto& left, const auto& right) { return tell_apart(left, right); });
}

std::optional<std::vector<vgpu::Replacements::Array>> array_replacements(const Case& shown, const Case& used) {
  std::vector<vgpu::Replacements::Array> replacements;
  for (std::size_t i = 0; i < shown.inputs.size(); ++i) {
    const std::vector<std::byte>& bytes = shown.inputs[i].data;
    if (bytes.empty()) continue;
    if (std::ranges::find(replacements, bytes, &vgpu::Replacements::Array::shown) != replacements.end()) return {};
    replacements.push_back({bytes, used.inputs[i].data});
  }
  return replacements;
}

using Word = std::uint32_t;

std::vector<Word> words_of(const Array& array) {
  std::vector<Word> words(array.data.size() / sizeof(Word));
  std::memcpy(words.data(), array.data.data(), words.size() * sizeof(Word));
  return words;
}

/// The words an output may hold.
void add_words(const ExpectedArray& expected, WordMap& words) {
  for (const double value : expected.value) {
    if (expected.type == ElementType::f32) words.insert(std::bit_cast<Word>(static_cast<float>(value)), 0);
    if (expected.type == ElementType::i32) words.insert(static_cast<Word>(static_cast<std::int32_t>(value)), 0);
  }
}

/// Replaces every word of the inputs, the same one by the same one everywhere, by one that is none of theirs. 0 stays
/// itself: it stands in too many places that are no input's.
WordMap swap_words(std::vector<Array>& inputs, const std::vector<Array>& models) {
  std::size_t count = 0;
  for (const Array& input : inputs) count += input.data.size() / sizeof(Word);
  WordMap taken(2 * count);  // to nothing in particular
  taken.insert(0, 0);
  for (const Array& input : inputs) {
    for (const Word word : words_of(input)) taken.insert(word, 0);
  }
  WordMap swapped(count);
  swapped.insert(0, 0);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::vector<Word> words = words_of(inputs[i]);
    const std::vector<Word> model = words_of(models[i]);
    for (std::size_t at = 0; at < words.size(); ++at) {
      const auto [known, fresh] = swapped.insert(words[at], model[at]);
      while (fresh && !taken.insert(*known, 0).second) ++*known;  // a float's neighbour
      words[at] = *known;
    }
    std::memcpy(inputs[i].data.data(), words.data(), words.size() * sizeof(Word));
  }
  return swapped;
}

/// `model`: a case of the same sizes with other values.
Twin twin_on_host(const Case& test, const Case& model, datasets::Recompute recompute) {
  Twin twin{test, {}, true};
  const auto swapped = swap_words(twin.test.inputs, model.inputs);
  recompute(twin.test);
  WordMap results(swapped.size());  // to nothing in particular
  for (const ExpectedArray& expected : twin.test.expected) add_words(expected, results);
  swapped.for_each([&](Word from, Word to) {
    if (from == 0) return;
    twin.replacements.words_in.emplace_back(from, to);
    // What the host reads back of its inputs is what it sent; a result stays as it is.
    if (!results.contains(to)) twin.replacements.words_out.emplace_back(to, from);
  });
  return twin;
}

bool has_words(const Case& test) {
  return std::ranges::all_of(test.inputs,
                             [](const Array& input) { return datasets::size_in_bytes(input.type) == sizeof(Word); });
}

std::vector<const Transfer*> of_kind(const vgpu::TransferLog& log, Transfer::Kind kind) {
  std::vector<const Transfer*> found;
  for (const Transfer& transfer : log.transfers) {
    if (transfer.kind == kind) found.push_back(&transfer);
  }
  return found;
}

/// The host asked for the same copies and launches. What kernels print may depend on their values.
bool same_course(const Observation& first, const Observation& second) {
  const auto same = [](const Transfer& left, const Transfer& right) {
    return left.kind == right.kind && left.data.size() == right.data.size();
  };
  const auto asked = [](const Observation& observed) {
    return observed.transfers.transfers |
           std::views::filter([](const Transfer& transfer) { return transfer.kind != Transfer::Kind::print; });
  };
  auto left = asked(first), right = asked(second);
  return first.transfers.complete && second.transfers.complete && first.launches.size() == second.launches.size() &&
         std::ranges::equal(left, right, same);
}

/// Some wrong element is that of the first run, to the bit: the data that the device has now has nothing to do with it.
bool stayed(const Twin& twin, const Observation& first, const Observation& second) {
  for (const ExpectedArray& expected : twin.test.expected) {
    const auto before = std::ranges::find(first.outputs, expected.name, &Array::name);
    const auto output = std::ranges::find(second.outputs, expected.name, &Array::name);
    if (before == first.outputs.end() || output == second.outputs.end()) return false;
    const Comparison comparison = compare(*output, expected);
    if (comparison.misfit || before->data.size() != output->data.size()) return false;
    const std::size_t size = datasets::size_in_bytes(output->type);
    for (std::size_t i = 0; i < comparison.fault.size(); ++i) {
      if (comparison.fault[i] != Fault::none &&
          std::memcmp(before->data.data() + i * size, output->data.data() + i * size, size) == 0)
        return true;
    }
  }
  return false;
}

/// Bytes of a wrong element and of some after it: enough to know them again.
struct Sample {
  std::vector<std::byte> bytes;
  std::size_t element_bytes = 1;
};

Sample sample_at(const Array& output, std::size_t element) {
  constexpr std::size_t kWanted = 16;
  const std::size_t size = datasets::size_in_bytes(output.type);
  const std::size_t begin = std::min(element * size, output.data.size() - std::min(output.data.size(), kWanted));
  const std::span<const std::byte> bytes = std::span(output.data).subspan(begin);
  const auto taken = bytes.first(std::min(bytes.size(), kWanted));
  return {{taken.begin(), taken.end()}, size};
}

/// Of some wrong elements, the first among them: where a result happens to have the bits of an input it was replaced,
/// and is not what the program sent.
std::vector<Sample> samples_of(const Array& output, const Comparison& comparison) {
  constexpr std::size_t kMost = 8;
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < comparison.fault.size(); ++i) {
    if (comparison.fault[i] != Fault::none) wrong.push_back(i);
  }
  std::vector<Sample> samples;
  const std::size_t count = std::min(wrong.size(), kMost);
  for (std::size_t i = 0; i < count; ++i) samples.push_back(sample_at(output, wrong[i * wrong.size() / count]));
  return samples;
}

bool holds(const Transfer& transfer, const Sample& sample) {
  for (std::size_t at = 0; at + sample.bytes.size() <= transfer.data.size(); at += sample.element_bytes) {
    if (std::memcmp(transfer.data.data() + at, sample.bytes.data(), sample.bytes.size()) == 0) return true;
  }
  return false;
}

template <typename Wanted>
const Transfer* last_of(const vgpu::TransferLog& log, const Wanted& wanted) {
  const auto found = std::ranges::find_if(log.transfers.rbegin(), log.transfers.rend(), wanted);
  return found == log.transfers.rend() ? nullptr : &*found;
}

/// Names the call by which the result left the host, as far as the copies tell.
void explain(Audit& audit, const std::string& output, const std::vector<Sample>& samples, const Twin& twin,
             const vgpu::TransferLog& log) {
  const auto sent = [](const Transfer& transfer) {
    return transfer.kind == Transfer::Kind::to_device && !transfer.replaced;
  };
  const auto brings_it = [&](const Transfer& transfer) {
    return (sent(transfer) || transfer.kind == Transfer::Kind::launch) &&
           std::ranges::any_of(samples, [&](const Sample& sample) { return holds(transfer, sample); });
  };
  const auto brings_any = [&](const Transfer& transfer) {
    return sent(transfer) || transfer.kind == Transfer::Kind::fill;
  };
  const auto shown = [](const Transfer& transfer) {
    return transfer.kind == Transfer::Kind::to_host && transfer.replaced;
  };
  std::string& message = audit.finding->message;
  if (const Transfer* brought = last_of(log, brings_it)) {
    message = fmt::format("`{}` is computed on the host, or finished there: this {}", output,
                          brought->kind == Transfer::Kind::launch ? "launch has the result among its arguments"
                                                                  : "copy brings the result");
    audit.call = brought->origin;
  } else if (const Transfer* part = twin.host_arrays ? nullptr : last_of(log, brings_any)) {
    message =
        fmt::format("`{}` is computed on the host, or finished there: it follows from what this call brings", output);
    audit.call = part->origin;
  } else if (const Transfer* read = last_of(log, shown)) {
    message = fmt::format("`{}` is computed on the host, or finished there, from values that this copy reads", output);
    audit.call = read->origin;
  } else {
    message = fmt::format("`{}` is not computed on the device: it does not follow from the arrays there", output);
  }
}

Audit computed_elsewhere(const Twin& twin, const Observation& second) {
  Audit audit{ComputedOn::host, Finding{}, {}};
  for (const ExpectedArray& expected : twin.test.expected) {
    const auto output = std::ranges::find(second.outputs, expected.name, &Array::name);
    if (output == second.outputs.end()) return {};
    const Comparison comparison = compare(*output, expected);
    if (comparison.right()) continue;
    if (comparison.misfit) return {};
    explain(audit, expected.name, samples_of(*output, comparison), twin, second.transfers);
    audit.finding->id = finding_ids::kComputedOnTheHost;
    audit.finding->subject = expected.name;
    audit.finding->note = fmt::format(
        "run again with other values in the device's arrays, while the host saw the same as before, `{}` did not "
        "become their result",
        expected.name);
    audit.finding->help =
        "let kernels compute the whole result from the arrays on the device; what the host adds up or fills in between "
        "two kernels is not computed there, and one more launch can do it";
    return audit;
  }
  return {};
}

}  // namespace

std::optional<Twin> twin_of(const Case& test, datasets::CaseSpec spec, std::string_view name) {
  const datasets::Generator generate = datasets::generator_for(name);
  const datasets::Recompute recompute = datasets::host_arrays_of(name);
  const auto has_elements = [](const auto& array) { return array.elements() > 0; };
  if (generate == nullptr || !std::ranges::any_of(test.inputs, has_elements) ||
      !std::ranges::all_of(test.expected, has_elements) || (recompute != nullptr && !has_words(test)))
    return {};
  for (int i = 1; i <= kMostTries; ++i) {
    spec.seed = test.spec.seed.value_or(0) + static_cast<std::uint64_t>(i) * kTwin;
    Case other = generate(spec, *spec.seed);
    if (recompute != nullptr) {
      Twin twin = twin_on_host(test, other, recompute);
      if (tell_apart(test, twin.test)) return twin;
      continue;
    }
    auto arrays = array_replacements(test, other);
    if (arrays && tell_apart(test, other)) {
      Twin twin{std::move(other), {}, false};
      twin.replacements.arrays = std::move(*arrays);
      return twin;
    }
  }
  return {};
}

std::optional<std::vector<std::vector<std::byte>>> answers_of(const Observation& observed) {
  const auto copies = of_kind(observed.transfers, Transfer::Kind::to_host);
  const std::size_t outputs = observed.outputs.size();
  if (!observed.transfers.complete || copies.size() < outputs) return {};
  // From the end: a submission that copies the same once more does so before the harness, or its copy is taken for the
  // harness's.
  for (std::size_t own = copies.size() - outputs + 1; own-- > 0;) {
    const auto same = [](const Transfer* copy, const Array& output) { return copy->data == output.data; };
    if (!std::equal(copies.begin() + static_cast<std::ptrdiff_t>(own),
                    copies.begin() + static_cast<std::ptrdiff_t>(own + outputs), observed.outputs.begin(), same))
      continue;
    std::vector<std::vector<std::byte>> answers;
    for (std::size_t i = 0; i < own; ++i) answers.push_back(copies[i]->data);
    return answers;
  }
  return {};
}

std::vector<std::vector<std::byte>> prints_of(const Observation& observed) {
  std::vector<std::vector<std::byte>> prints;
  for (const Transfer* print : of_kind(observed.transfers, Transfer::Kind::print)) prints.push_back(print->data);
  return prints;
}

Finding copies_too_much(const Case& test) {
  Finding finding;
  finding.id = finding_ids::kComputedOnTheHost;
  finding.subject = test.expected.front().name;
  finding.message = fmt::format("`{}` may be computed on the host: too much is copied between host and device to tell",
                                test.expected.front().name);
  finding.note = fmt::format(
      "the copies of this case hold more than {} MiB, and the arrays were on the device when the function was called",
      vgpu::TransferLog::kMostBytes >> 20);
  finding.help = "remove the copies: kernels read the arrays where they are, and write the result there";
  return finding;
}

Audit audit_of(const Twin& twin, const Observation& first, const Observation& second) {
  if (second.end != RunEnd::finished) return {};
  if (twin.host_arrays) {
    // The host works on its own arrays, whatever copies and launches it asks for.
    if (gives_right_outputs(second, twin.test)) return {ComputedOn::device, {}, {}};
    return same_course(first, second) || stayed(twin, first, second) ? computed_elsewhere(twin, second) : Audit{};
  }
  if (!same_course(first, second)) return {};
  const auto replaced = [](const Transfer& transfer) {
    return transfer.kind == Transfer::Kind::to_device && transfer.replaced;
  };
  const auto arrays = std::ranges::count_if(second.transfers.transfers, replaced);
  if (static_cast<std::size_t>(arrays) != twin.replacements.arrays.size()) return {};
  if (gives_right_outputs(second, twin.test)) return {ComputedOn::device, {}, {}};
  return computed_elsewhere(twin, second);
}

}  // namespace cudalabs
