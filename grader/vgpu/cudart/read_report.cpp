// JSON to ServerReport: refuses what writing would not have written.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "vgpu/cudart/report_fields.h"

namespace cudalabs::vgpu {
namespace {

using nlohmann::json;

/// A JSON value and the way to it, for messages.
class Node {
 public:
  Node(const json& value, std::string path) : value_(value), path_(std::move(path)) {}

  Node at(const char* key) const {
    require(value_.is_object(), "an object");
    const auto found = value_.find(key);
    if (found == value_.end()) throw ReportError(fmt::format("report: {} has no `{}`", name(), key));
    return {*found, path_.empty() ? key : path_ + "." + key};
  }
  std::vector<Node> elements() const {
    require(value_.is_array(), "an array");
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < value_.size(); ++i) nodes.emplace_back(value_[i], fmt::format("{}[{}]", path_, i));
    return nodes;
  }
  std::vector<std::pair<std::string, Node>> members() const {
    require(value_.is_object(), "an object");
    std::vector<std::pair<std::string, Node>> nodes;
    for (const auto& [key, member] : value_.items()) nodes.emplace_back(key, Node(member, path_ + "." + key));
    return nodes;
  }
  bool null() const { return value_.is_null(); }
  void require(bool condition, const char* what) const {
    if (!condition) throw ReportError(fmt::format("report: {} is not {}", name(), what));
  }

  std::string text() const {
    require(value_.is_string(), "a string");
    return value_.get<std::string>();
  }
  bool boolean() const {
    require(value_.is_boolean(), "true or false");
    return value_.get<bool>();
  }
  double seconds() const {
    require(value_.is_number() && value_.get<double>() >= 0, "a duration");
    return value_.get<double>();
  }
  template <class T>
  T natural() const {
    require(value_.is_number_unsigned() && value_.get<std::uint64_t>() <= std::numeric_limits<T>::max(),
            "a number in range");
    return static_cast<T>(value_.get<std::uint64_t>());
  }

 private:
  std::string name() const { return path_.empty() ? "it" : "`" + path_ + "`"; }

  const json& value_;
  std::string path_;
};

// What the members of a part have to do with each other, and which values they cannot have.

template <class Part>
void check(const Node&, const Part&) {}

void check(const Node& node, const AccessSample& access) {
  node.at("bytes").require(std::has_single_bit(access.bytes) && access.bytes <= 16, "the width of an access");
  node.at("active").require(access.active != 0, "a set of lanes");
}

void check(const Node& node, const RefusedPointers& refused) {
  node.at("direction").require(refused.pointers.direction < kDirections, "a direction of copies");
}

void check(const Node& node, const KeptValue& kept) {
  node.at("number").require(kept.variable.number < KeptVariable::kMost, "the number of a variable");
}

void check(const Node& node, const StoreExtent& extent) {
  node.at("end").require(extent.first < extent.end, "behind the first byte");
  node.at("threads").require(extent.threads <= extent.stores, "a part of the stores");
}

void check(const Node& node, const HostCopy& copy) {
  node.at("unwritten").require(copy.unwritten <= copy.bytes, "a part of the bytes");
}

void check(const Node& node, const OutputGaps& gaps) {
  std::uint64_t last = 0;
  for (const ByteRange& range : gaps.unwritten) {
    node.at("unwritten").require(range.begin >= last && range.end > range.begin, "a list of ranges in their order");
    last = range.end;
  }
}

void check(const Node& node, const BarrierUsage& barriers) {
  for (const Node& need : node.at("needs").elements())
    for (const Node& index : need.elements())
      index.require(index.natural<std::uint32_t>() < barriers.sites.size(), "the index of a site");
}

void check(const Node& node, const ServerReport& report) {
  for (std::size_t i = 0; i < report.origins.size(); ++i) {
    const FindingOrigin& origin = report.origins[i];
    if (origin.finding >= report.findings.size() ||
        (origin.of_other && !report.findings[origin.finding].other.has_value()) ||
        (origin.of_cause && !report.findings[origin.finding].cause.has_value()))
      node.at("origins").elements()[i].require(false, "the origin of a finding");
  }
}

/// What an array of this length is.
template <std::size_t length>
inline constexpr const char* kArrayText = nullptr;
template <>
inline constexpr const char* kArrayText<3> = "three numbers";
template <>
inline constexpr const char* kArrayText<kWarpSize> = "an address for each lane";

/// Fills a part's members, each from the key that it comes with.
class ObjectReader {
 public:
  explicit ObjectReader(const Node& node) : node_(node) {}

  void operator()(const char* key, auto& member) { read(node_.at(key), member); }

  template <class Value>
  static void read(const Node& node, Value& value) {
    if constexpr (std::same_as<Value, bool>) {
      value = node.boolean();
    } else if constexpr (std::integral<Value>) {
      value = node.natural<Value>();
    } else if constexpr (std::same_as<Value, double>) {
      value = node.seconds();
    } else if constexpr (std::same_as<Value, std::string>) {
      value = node.text();
    } else if constexpr (std::is_enum_v<Value>) {
      value = named<Value>(node);
    } else {
      ObjectReader reader(node);
      report::fields(reader, value);
      check(node, value);
    }
  }
  template <class Value>
  static void read(const Node& node, std::optional<Value>& value) {
    value.reset();
    if (!node.null()) read(node, value.emplace());
  }
  template <class Value>
  static void read(const Node& node, std::vector<Value>& values) {
    for (const Node& element : node.elements()) read(element, values.emplace_back());
  }
  template <class Value, std::size_t length>
  static void read(const Node& node, std::array<Value, length>& values) {
    const auto elements = node.elements();
    node.require(elements.size() == length, kArrayText<length>);
    for (std::size_t i = 0; i < length; ++i) read(elements[i], values[i]);
  }
  /// By numbers: a list of pairs.
  static void read(const Node& node, std::map<std::uint32_t, std::uint64_t>& counts) {
    for (const Node& pair : node.elements()) {
      const auto elements = pair.elements();
      pair.require(elements.size() == 2, "a line and a count");
      counts[elements[0].natural<std::uint32_t>()] = elements[1].natural<std::uint64_t>();
    }
  }
  template <class Value>
  static void read(const Node& node, std::map<std::string, Value>& values) {
    for (const auto& [key, member] : node.members()) read(member, values[key]);
  }

 private:
  template <class Enum>
  static Enum named(const Node& node) {
    const std::string name = node.text();
    const auto& texts = report::Texts<Enum>::of;
    const auto found = std::find(texts.begin(), texts.end(), name);
    if (found == texts.end()) throw ReportError(fmt::format("report: `{}` is not {}", name, report::Texts<Enum>::what));
    return static_cast<Enum>(found - texts.begin());
  }

  const Node& node_;
};

}  // namespace

ServerReport server_report_from_json(std::string_view text) {
  const json value = json::parse(text, nullptr, false);
  if (value.is_discarded()) throw ReportError("report: it is not JSON");
  const Node root(value, "");
  if (const int version = root.at("version").natural<int>(); version != ServerReport::kVersion)
    throw ReportError(fmt::format("report: version {}, expected {}", version, ServerReport::kVersion));
  ServerReport report;
  ObjectReader::read(root, report);
  return report;
}

}  // namespace cudalabs::vgpu
