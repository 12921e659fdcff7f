// Holds the virtual GPU to the records of real ones.
//   virtual_conformance FOLDER     every conformance-*.json in it, or .json.zst; ends with 77 when there is none
#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include "instruction_forms.h"
#include "known_deviations.h"
#include "virtual_answers.h"

namespace {

using namespace cudalabs::conformance;
namespace fs = std::filesystem;

constexpr int kSkipped = 77;
constexpr std::size_t kKeysPrinted = 12;

struct NamedRecord {
  Record record;
  std::vector<Outcome> outcomes{};
};

std::string decompressed(const std::string& packed) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) throw std::runtime_error("no zstd file");
  std::string text(size, '\0');
  if (ZSTD_isError(ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size())) != 0) {
    throw std::runtime_error("a broken zstd file");
  }
  return text;
}

std::vector<NamedRecord> records_in(const fs::path& folder) {
  std::vector<NamedRecord> records;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool packed = name.ends_with(".json.zst");
    if (!name.starts_with("conformance-") || (!packed && !name.ends_with(".json"))) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    records.push_back({read_record(packed ? decompressed(text) : text)});
  }
  return records;
}

/// Adds to each record what `compare` makes of an answer; one that does not come counts as another answer.
template <class Answer, class Compare>
void ask(std::vector<NamedRecord>& records, const std::string& key, Answer answer, Compare compare) {
  try {
    const auto results = answer();
    for (NamedRecord& named : records) named.outcomes.push_back(compare(results, named.record));
  } catch (const std::runtime_error& error) {
    for (NamedRecord& named : records) {
      named.outcomes.push_back({.key = key, .agreement = Agreement::differs, .what = error.what()});
    }
  }
}

/// Whether any record has it. Without one nothing is computed.
bool recorded(std::vector<NamedRecord>& records, const std::string& key,
              std::map<std::string, std::string> Record::*answers) {
  for (const NamedRecord& named : records) {
    if ((named.record.*answers).contains(key)) return true;
  }
  for (NamedRecord& named : records) named.outcomes.push_back({.key = key, .agreement = Agreement::not_recorded});
  return false;
}

void ask_all(std::vector<NamedRecord>& records) {
  VirtualDevice device;
  std::vector<InstructionForm> forms = all_instruction_forms();
  std::ranges::move(all_function_forms(), std::back_inserter(forms));
  for (const InstructionForm& form : forms) {
    const std::string key = form.key();
    if (!recorded(records, key, &Record::forms)) continue;
    const OperandTable operands = operands_of(form);
    ask(
        records, key, [&] { return answer_to(form, operands, device); },
        [&](const auto& results, const Record& record) { return compare_form(form, operands, results, record); });
  }
  for (const NamedProgram& program : all_programs()) {
    if (!recorded(records, program.name, &Record::programs)) continue;
    ask(
        records, program.name, [&] { return answer_to(program, device); },
        [&](const auto& output, const Record& record) { return compare_program(program.name, output, record); });
  }
}

bool report(const NamedRecord& named) {
  const Record& record = named.record;
  fmt::print("{}, driver {}, toolkit {}, {}\n", record.device, record.driver, record.toolkit, record.date);
  std::map<Agreement, std::vector<std::string>> keys;
  for (const Outcome& outcome : named.outcomes) {
    keys[outcome.agreement].push_back(outcome.key);
    if (outcome.agreement == Agreement::within_bound) {
      fmt::print("  {}: within its bound, at most {:.0f} ulps\n", outcome.key, outcome.ulps);
    }
  }
  fmt::print("  {} the same, {} within their bounds, {} differ\n", keys[Agreement::same].size(),
             keys[Agreement::within_bound].size(), keys[Agreement::differs].size());
  fmt::print("  {} not recorded: {} that the device's compiler refused, {} that failed\n",
             keys[Agreement::not_recorded].size(), record.refused.size(), record.failed.size());
  for (const auto& [key, why] : record.failed) fmt::print("  not compared: {}: {}\n", key, why);
  std::vector<std::string>& missing = keys[Agreement::no_answer];
  fmt::print("  {} that the virtual GPU does not execute", missing.size());
  const std::size_t printed = std::min(missing.size(), kKeysPrinted);
  for (std::size_t i = 0; i < printed; ++i) fmt::print("{}{}", i == 0 ? ": " : ", ", missing[i]);
  fmt::print("{}\n", printed < missing.size() ? ", ..." : "");
  const std::vector<KnownDeviation> known = known_deviations(record.device);
  const std::vector<std::string> lines = complaints(named.outcomes, known);
  for (const std::string& line : lines) fmt::print("WRONG: {}\n", line);
  return lines.empty();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "virtual_conformance: which folder has the records?\n";
    return 2;
  }
  try {
    std::vector<NamedRecord> records = records_in(argv[1]);
    if (records.empty()) {
      fmt::print(
          "There is no record of a real GPU in {}. To make one, run there on a machine with a GPU:\n"
          "  ./record_device.sh OUTPUT\nThen copy OUTPUT/conformance-GPU.json into that folder (zstd -19 makes it "
          "small).\n",
          argv[1]);
      return kSkipped;
    }
    ask_all(records);
    const auto wrong = std::ranges::count_if(records, [](const NamedRecord& named) { return !report(named); });
    return wrong == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "virtual_conformance: " << error.what() << '\n';
    return 1;
  }
}
