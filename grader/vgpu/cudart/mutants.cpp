// Orders and logs as CBOR, whose strings of bytes hold results as they are.
#include "vgpu/cudart/mutants.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

namespace cudalabs::vgpu {
namespace {

using nlohmann::json;

std::vector<std::byte> to_cbor(const json& value) {
  const std::vector<std::uint8_t> bytes = json::to_cbor(value);
  const auto all = std::as_bytes(std::span(bytes));
  return {all.begin(), all.end()};
}

json from_cbor(std::span<const std::byte> bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return json::from_cbor(data, data + bytes.size());
}

json bytes_json(const std::vector<std::byte>& bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return json::binary(std::vector<std::uint8_t>(data, data + bytes.size()));
}

std::vector<std::byte> bytes_from(const json& value) {
  const auto bytes = std::as_bytes(std::span(value.get_binary()));
  return {bytes.begin(), bytes.end()};
}

/// Of plain values: their bytes, as this machine has them.
template <typename Value>
json values_json(const std::vector<Value>& values) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(values.data());
  return json::binary(std::vector<std::uint8_t>(data, data + values.size() * sizeof(Value)));
}

template <typename Value>
std::vector<Value> values_from(const json& json_values) {
  const auto& bytes = json_values.get_binary();
  if (bytes.size() % sizeof(Value) != 0 || bytes.size() / sizeof(Value) > ArrayReads::kMostElements)
    throw MutantError("a table of another size");
  std::vector<Value> values(bytes.size() / sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

json place_json(const SourcePlace& place) {
  return json::array({place.file, place.line, place.column});
}

SourcePlace place_from(const json& value) {
  return {value.at(0).get<std::string>(), value.at(1).get<std::uint32_t>(), value.at(2).get<std::uint32_t>()};
}

json optional_json(const std::optional<std::uint32_t>& number) {
  return number ? json(*number) : json();
}

std::optional<std::uint32_t> optional_from(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<std::uint32_t>());
}

template <typename Kind>
Kind kind_from(const json& value, Kind last) {
  const auto number = value.get<std::uint32_t>();
  if (number > static_cast<std::uint32_t>(last)) throw MutantError("an unknown kind of change");
  return static_cast<Kind>(number);
}

json mutant_json(const Mutant& mutant) {
  json results = json::array();
  for (const std::vector<std::byte>& result : mutant.results) results.push_back(bytes_json(result));
  return {{"number", mutant.number},
          {"change", static_cast<std::uint32_t>(mutant.change)},
          {"kind", static_cast<std::uint32_t>(mutant.kind)},
          {"original", mutant.original},
          {"replacement", mutant.replacement},
          {"original_parameter", optional_json(mutant.original_parameter)},
          {"replacement_parameter", optional_json(mutant.replacement_parameter)},
          {"original_place", place_json(mutant.original_place)},
          {"replacement_place", place_json(mutant.replacement_place)},
          {"kernel", mutant.kernel},
          {"where", place_json(mutant.where)},
          {"launch", json::array({mutant.launch.address, mutant.launch.outer})},
          {"clean", mutant.clean},
          {"warp_instructions", mutant.warp_instructions},
          {"lost", json::array({mutant.lost.blocks, mutant.lost.threads})},
          {"results", std::move(results)}};
}

Mutant mutant_from(const json& value) {
  Mutant mutant;
  mutant.number = value.at("number").get<std::uint32_t>();
  mutant.change = kind_from(value.at("change"), Mutant::kLastChange);
  mutant.kind = kind_from(value.at("kind"), kLastMutationKind);
  mutant.original = value.at("original").get<std::string>();
  mutant.replacement = value.at("replacement").get<std::string>();
  mutant.original_parameter = optional_from(value.at("original_parameter"));
  mutant.replacement_parameter = optional_from(value.at("replacement_parameter"));
  mutant.original_place = place_from(value.at("original_place"));
  mutant.replacement_place = place_from(value.at("replacement_place"));
  mutant.kernel = value.at("kernel").get<std::string>();
  mutant.where = place_from(value.at("where"));
  mutant.launch = {value.at("launch").at(0).get<std::uint64_t>(), value.at("launch").at(1).get<std::uint64_t>()};
  mutant.clean = value.at("clean").get<bool>();
  mutant.warp_instructions = value.at("warp_instructions").get<std::uint64_t>();
  mutant.lost = {value.at("lost").at(0).get<std::uint64_t>(), value.at("lost").at(1).get<std::uint64_t>()};
  for (const json& result : value.at("results")) mutant.results.push_back(bytes_from(result));
  return mutant;
}

json reads_json(const ArrayReads& reads) {
  json places = json::array();
  for (const SourcePlace& place : reads.places) places.push_back(place_json(place));
  return {{"array", reads.array},
          {"places", std::move(places)},
          {"counts", values_json(reads.counts)},
          {"readers", json::array({values_json(reads.first), values_json(reads.last)})}};
}

ArrayReads reads_from(const json& value) {
  ArrayReads reads;
  reads.array = value.at("array").get<std::string>();
  for (const json& place : value.at("places")) reads.places.push_back(place_from(place));
  reads.counts = values_from<std::uint32_t>(value.at("counts"));
  reads.first = values_from<ElementReader>(value.at("readers").at(0));
  reads.last = values_from<ElementReader>(value.at("readers").at(1));
  if (reads.first.size() != reads.counts.size() || reads.last.size() != reads.counts.size())
    throw MutantError("readers of other elements");
  for (std::size_t i = 0; i < reads.counts.size(); ++i) {
    const bool known = reads.first[i].place < reads.places.size() && reads.last[i].place < reads.places.size();
    if (reads.counts[i] > 0 && !known) throw MutantError("a reader without a place");
  }
  return reads;
}

/// What `read` makes of the bytes, which may be anything.
template <typename Read>
auto read_cbor(std::span<const std::byte> bytes, Read read) {
  try {
    return read(from_cbor(bytes));
  } catch (const json::exception& error) {
    throw MutantError(error.what());
  }
}

}  // namespace

std::vector<std::byte> to_bytes(const MutantOrder& order) {
  json inputs = json::array();
  for (const Replacements::Array& input : order.inputs)
    inputs.push_back(json::array({bytes_json(input.shown), bytes_json(input.used)}));
  return to_cbor({{"file", order.file},
                  {"numbers", order.numbers},
                  {"launches", static_cast<std::uint32_t>(order.launches)},
                  {"first", static_cast<std::uint32_t>(order.first)},
                  {"last", static_cast<std::uint32_t>(order.last)},
                  {"checks", order.checks},
                  {"inputs", std::move(inputs)},
                  {"reads", order.reads}});
}

MutantOrder mutant_order_from_bytes(std::span<const std::byte> bytes) {
  return read_cbor(bytes, [](const json& value) {
    MutantOrder order{value.at("file").get<std::string>(),
                      value.at("numbers").get<std::vector<std::uint32_t>>(),
                      kind_from(value.at("launches"), MutantOrder::kLastLaunches),
                      kind_from(value.at("first"), kLastMutationKind),
                      kind_from(value.at("last"), kLastMutationKind),
                      value.at("checks").get<bool>(),
                      {},
                      value.at("reads").get<bool>()};
    for (const json& input : value.at("inputs")) {
      order.inputs.push_back({bytes_from(input.at(0)), bytes_from(input.at(1))});
      if (order.inputs.back().shown.size() != order.inputs.back().used.size())
        throw MutantError("an array replaced by one of another size");
    }
    return order;
  });
}

std::vector<std::byte> to_bytes(const MutantLog& log) {
  json mutants = json::array();
  for (const Mutant& mutant : log.mutants) mutants.push_back(mutant_json(mutant));
  json reads = json::array();
  for (const ArrayReads& array : log.reads) reads.push_back(reads_json(array));
  return to_cbor(
      {{"complete", log.complete}, {"made", log.made}, {"mutants", std::move(mutants)}, {"reads", std::move(reads)}});
}

MutantLog mutant_log_from_bytes(std::span<const std::byte> bytes) {
  return read_cbor(bytes, [](const json& value) {
    MutantLog log;
    log.complete = value.at("complete").get<bool>();
    log.made = value.at("made").get<std::uint32_t>();
    for (const json& mutant : value.at("mutants")) log.mutants.push_back(mutant_from(mutant));
    for (const json& array : value.at("reads")) log.reads.push_back(reads_from(array));
    return log;
  });
}

}  // namespace cudalabs::vgpu
