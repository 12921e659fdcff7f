// ServerReport to JSON and back; reading refuses what writing would not have written.
#include "vgpu/cudart/server_report.h"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace cudalabs::vgpu {
namespace {

using nlohmann::json;

constexpr const char* kSeverityNames[] = {"error", "warning", "advice"};
constexpr const char* kAccessNames[] = {"load", "store", "atomic"};
constexpr const char* kSpaceNames[] = {"global", "shared"};

// --- writing

json place_json(const SourcePlace& place) {
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

json index_json(const std::optional<Index3>& index) {
  return index ? json(*index) : json();
}

json finding_json(const Finding& finding) {
  json value = {{"id", finding.id},
                {"severity", kSeverityNames[static_cast<int>(finding.severity)]},
                {"message", finding.message},
                {"where", place_json(finding.where)},
                {"kernel", finding.kernel},
                {"block", index_json(finding.block)},
                {"thread", index_json(finding.thread)},
                {"address", finding.address ? json(*finding.address) : json()},
                {"count", finding.count},
                {"note", finding.note},
                {"help", finding.help},
                {"other", json()}};
  if (finding.other) {
    value["other"] = {{"label", finding.other->label},
                      {"place", place_json(finding.other->place)},
                      {"block", index_json(finding.other->block)},
                      {"thread", index_json(finding.other->thread)}};
  }
  return value;
}

json launch_json(const LaunchCounters& launch) {
  return {{"kernel", launch.kernel},
          {"grid", launch.config.grid},
          {"block", launch.config.block},
          {"shared", launch.config.dynamic_shared_bytes},
          {"executed_blocks", launch.executed_blocks},
          {"complete", launch.complete},
          {"registers", launch.registers},
          {"shared_bytes", launch.shared_bytes},
          {"values", launch.values}};
}

json coverage_json(const LineCoverage& coverage) {
  json value = json::object();
  for (const auto& [file, lines] : coverage) {
    json list = json::array();
    for (const auto& [line, count] : lines) list.push_back({line, count});
    value[file] = std::move(list);
  }
  return value;
}

json side_json(const BranchSide& side) {
  return {{"to", place_json(side.to)}, {"threads", side.threads}};
}

json branch_json(const BranchCount& branch) {
  return {{"where", place_json(branch.where)}, {"next", side_json(branch.next)}, {"other", side_json(branch.other)}};
}

json access_json(const AccessSample& access) {
  return {{"kernel", access.kernel},
          {"where", place_json(access.where)},
          {"kind", kAccessNames[static_cast<int>(access.kind)]},
          {"space", kSpaceNames[static_cast<int>(access.space)]},
          {"bytes", access.bytes},
          {"block", access.block},
          {"warp", access.warp},
          {"active", access.active},
          {"present", access.present},
          {"address", access.address},
          {"region", access.region},
          {"region_bytes", access.region_bytes},
          {"name", access.name}};
}

json writer_json(const ArrayWriter& writer) {
  return {{"array", writer.array}, {"kernel", writer.kernel}, {"where", place_json(writer.where)}};
}

json host_copy_json(const HostCopy& copy) {
  json writers = json::array();
  for (const ArrayWriter& writer : copy.writers) writers.push_back(writer_json(writer));
  return {{"name", copy.name},           {"address", copy.origin.address},
          {"outer", copy.origin.outer},  {"calls", copy.calls},
          {"bytes", copy.bytes},         {"unwritten", copy.unwritten},
          {"elsewhere", copy.elsewhere}, {"writers", std::move(writers)}};
}

json overreach_json(const Overreach& overreach) {
  return {{"address", overreach.call.address},
          {"outer", overreach.call.outer},
          {"allocation", overreach.allocation.address},
          {"allocation_outer", overreach.allocation.outer},
          {"writes", overreach.writes},
          {"offset", overreach.offset},
          {"bytes", overreach.bytes},
          {"rows", overreach.rows},
          {"allocated", overreach.allocated}};
}

json barriers_json(const BarrierUsage& barriers) {
  json sites = json::array();
  for (const auto& site : barriers.sites)
    sites.push_back({{"kernel", site.kernel},
                     {"where", place_json(site.where)},
                     {"executed", site.executed},
                     {"judged", site.judged}});
  return {{"sites", std::move(sites)}, {"needs", barriers.needs}};
}

// --- reading

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

SourcePlace place_from(const Node& node) {
  return {node.at("file").text(), node.at("line").natural<std::uint32_t>(), node.at("column").natural<std::uint32_t>()};
}

Index3 index3_from(const Node& node) {
  const auto elements = node.elements();
  node.require(elements.size() == 3, "three numbers");
  return {elements[0].natural<std::uint32_t>(), elements[1].natural<std::uint32_t>(),
          elements[2].natural<std::uint32_t>()};
}

std::optional<Index3> optional_index3_from(const Node& node) {
  if (node.null()) return std::nullopt;
  return index3_from(node);
}

/// The value that the text names.
template <class Enum, std::size_t count>
Enum named(const Node& node, const char* const (&names)[count], const char* what) {
  const std::string name = node.text();
  for (std::size_t i = 0; i < count; ++i)
    if (name == names[i]) return static_cast<Enum>(i);
  throw ReportError(fmt::format("report: `{}` is not {}", name, what));
}

Finding finding_from(const Node& node) {
  Finding finding;
  finding.id = node.at("id").text();
  finding.severity = named<Severity>(node.at("severity"), kSeverityNames, "a severity");
  finding.message = node.at("message").text();
  finding.where = place_from(node.at("where"));
  finding.kernel = node.at("kernel").text();
  finding.block = optional_index3_from(node.at("block"));
  finding.thread = optional_index3_from(node.at("thread"));
  if (const Node address = node.at("address"); !address.null()) finding.address = address.natural<std::uint64_t>();
  finding.count = node.at("count").natural<std::uint64_t>();
  finding.note = node.at("note").text();
  finding.help = node.at("help").text();
  if (const Node other = node.at("other"); !other.null()) {
    finding.other = OtherPlace{other.at("label").text(), place_from(other.at("place")),
                               optional_index3_from(other.at("block")), optional_index3_from(other.at("thread"))};
  }
  return finding;
}

LaunchCounters launch_from(const Node& node) {
  LaunchCounters launch;
  launch.kernel = node.at("kernel").text();
  launch.config.grid = index3_from(node.at("grid"));
  launch.config.block = index3_from(node.at("block"));
  launch.config.dynamic_shared_bytes = node.at("shared").natural<std::uint32_t>();
  launch.executed_blocks = node.at("executed_blocks").natural<std::uint64_t>();
  launch.complete = node.at("complete").boolean();
  launch.registers = node.at("registers").natural<std::uint32_t>();
  launch.shared_bytes = node.at("shared_bytes").natural<std::uint32_t>();
  for (const auto& [name, count] : node.at("values").members()) launch.values[name] = count.natural<std::uint64_t>();
  return launch;
}

LineCoverage coverage_from(const Node& node) {
  LineCoverage coverage;
  for (const auto& [file, lines] : node.members()) {
    auto& counts = coverage[file];
    for (const Node& pair : lines.elements()) {
      const auto elements = pair.elements();
      pair.require(elements.size() == 2, "a line and a count");
      counts[elements[0].natural<std::uint32_t>()] = elements[1].natural<std::uint64_t>();
    }
  }
  return coverage;
}

BranchSide side_from(const Node& node) {
  return {place_from(node.at("to")), node.at("threads").natural<std::uint64_t>()};
}

BranchCount branch_from(const Node& node) {
  return {place_from(node.at("where")), side_from(node.at("next")), side_from(node.at("other"))};
}

AccessSample access_from(const Node& node) {
  AccessSample access;
  access.kernel = node.at("kernel").text();
  access.where = place_from(node.at("where"));
  access.kind = named<AccessKind>(node.at("kind"), kAccessNames, "a kind of access");
  access.space = named<MemorySpace>(node.at("space"), kSpaceNames, "global or shared memory");
  access.bytes = node.at("bytes").natural<std::uint8_t>();
  node.at("bytes").require(std::has_single_bit(access.bytes) && access.bytes <= 16, "the width of an access");
  access.block = index3_from(node.at("block"));
  access.warp = node.at("warp").natural<std::uint32_t>();
  access.active = node.at("active").natural<LaneMask>();
  node.at("active").require(access.active != 0, "a set of lanes");
  access.present = node.at("present").natural<LaneMask>();
  const auto addresses = node.at("address").elements();
  node.require(addresses.size() == kWarpSize, "an access with an address for each lane");
  for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
    access.address[lane] = addresses[lane].natural<std::uint64_t>();
  }
  access.region = node.at("region").natural<std::uint64_t>();
  access.region_bytes = node.at("region_bytes").natural<std::uint64_t>();
  access.name = node.at("name").text();
  return access;
}

ArrayWriter writer_from(const Node& node) {
  return {node.at("array").text(), node.at("kernel").text(), place_from(node.at("where"))};
}

HostCopy host_copy_from(const Node& node) {
  HostCopy copy;
  copy.name = node.at("name").text();
  copy.origin = {node.at("address").natural<std::uint64_t>(), node.at("outer").natural<std::uint64_t>()};
  copy.calls = node.at("calls").natural<std::uint64_t>();
  copy.bytes = node.at("bytes").natural<std::uint64_t>();
  copy.unwritten = node.at("unwritten").natural<std::uint64_t>();
  node.at("unwritten").require(copy.unwritten <= copy.bytes, "a part of the bytes");
  copy.elsewhere = node.at("elsewhere").boolean();
  for (const Node& writer : node.at("writers").elements()) copy.writers.push_back(writer_from(writer));
  return copy;
}

Overreach overreach_from(const Node& node) {
  const auto number = [&](const char* key) { return node.at(key).natural<std::uint64_t>(); };
  return {{number("address"), number("outer")},
          {number("allocation"), number("allocation_outer")},
          node.at("writes").boolean(),
          number("offset"),
          number("bytes"),
          number("rows"),
          number("allocated")};
}

BarrierUsage barriers_from(const Node& node) {
  BarrierUsage barriers;
  for (const Node& site : node.at("sites").elements())
    barriers.sites.push_back({site.at("kernel").text(), place_from(site.at("where")),
                              site.at("executed").natural<std::uint64_t>(), site.at("judged").boolean()});
  for (const Node& need : node.at("needs").elements()) {
    std::vector<std::uint32_t> indices;
    for (const Node& index : need.elements()) {
      indices.push_back(index.natural<std::uint32_t>());
      index.require(indices.back() < barriers.sites.size(), "the index of a site");
    }
    barriers.needs.push_back(std::move(indices));
  }
  return barriers;
}

ApiCall call_from(const Node& node) {
  return {node.at("name").text(),
          node.at("stream").natural<std::uint64_t>(),
          node.at("origin").natural<std::uint64_t>(),
          node.at("status").natural<int>(),
          node.at("dropped").boolean(),
          node.at("waits").boolean(),
          node.at("encloses").boolean(),
          node.at("after_clock").boolean()};
}

}  // namespace

std::string to_json(const ServerReport& report) {
  json findings = json::array(), origins = json::array(), launches = json::array(), calls = json::array();
  json branches = json::array(), accesses = json::array(), writers = json::array();
  for (const BranchCount& branch : report.branches) branches.push_back(branch_json(branch));
  for (const AccessSample& access : report.accesses) accesses.push_back(access_json(access));
  for (const ArrayWriter& writer : report.writers) writers.push_back(writer_json(writer));
  json host_copies = json::array();
  for (const HostCopy& copy : report.host_copies) host_copies.push_back(host_copy_json(copy));
  json overreaches = json::array();
  for (const Overreach& overreach : report.overreaches) overreaches.push_back(overreach_json(overreach));
  for (const Finding& finding : report.findings) findings.push_back(finding_json(finding));
  for (const FindingOrigin& origin : report.origins)
    origins.push_back({{"finding", origin.finding},
                       {"address", origin.origin.address},
                       {"outer", origin.origin.outer},
                       {"of_other", origin.of_other}});
  for (const LaunchCounters& launch : report.launches) launches.push_back(launch_json(launch));
  for (const ApiCall& call : report.calls) {
    calls.push_back({{"name", call.name},
                     {"stream", call.stream},
                     {"origin", call.origin},
                     {"status", call.status},
                     {"dropped", call.dropped},
                     {"waits", call.waits},
                     {"encloses", call.encloses},
                     {"after_clock", call.after_clock}});
  }
  const json value = {{"version", ServerReport::kVersion},
                      {"model", report.model},
                      {"findings", std::move(findings)},
                      {"origins", std::move(origins)},
                      {"launches", std::move(launches)},
                      {"launch_count", report.launch_count},
                      {"asked_launches", report.asked_launches},
                      {"coverage", coverage_json(report.coverage)},
                      {"branches", std::move(branches)},
                      {"accesses", std::move(accesses)},
                      {"writers", std::move(writers)},
                      {"host_copies", std::move(host_copies)},
                      {"on_device", report.on_device},
                      {"overreaches", std::move(overreaches)},
                      {"barriers", barriers_json(report.barriers)},
                      {"kernel_seconds", report.kernel_seconds},
                      {"launch_seconds", report.launch_seconds},
                      {"calls", std::move(calls)},
                      {"call_count", report.call_count},
                      {"module_errors", report.module_errors},
                      {"not_executed", report.not_executed},
                      {"optimised", report.optimised},
                      {"context_error", report.context_error},
                      {"said_goodbye", report.said_goodbye},
                      {"interrupted", report.interrupted},
                      {"protocol_error", report.protocol_error},
                      {"exhausted", report.exhausted},
                      {"internal_error", report.internal_error}};
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

ServerReport server_report_from_json(std::string_view text) {
  const json value = json::parse(text, nullptr, false);
  if (value.is_discarded()) throw ReportError("report: it is not JSON");
  const Node root(value, "");
  if (const int version = root.at("version").natural<int>(); version != ServerReport::kVersion)
    throw ReportError(fmt::format("report: version {}, expected {}", version, ServerReport::kVersion));
  ServerReport report;
  report.model = root.at("model").text();
  for (const Node& node : root.at("findings").elements()) report.findings.push_back(finding_from(node));
  for (const Node& node : root.at("origins").elements()) {
    const FindingOrigin origin{node.at("finding").natural<std::uint32_t>(),
                               {node.at("address").natural<std::uint64_t>(), node.at("outer").natural<std::uint64_t>()},
                               node.at("of_other").boolean()};
    node.require(origin.finding < report.findings.size() &&
                     (!origin.of_other || report.findings[origin.finding].other.has_value()),
                 "the origin of a finding");
    report.origins.push_back(origin);
  }
  for (const Node& node : root.at("launches").elements()) report.launches.push_back(launch_from(node));
  report.launch_count = root.at("launch_count").natural<std::uint64_t>();
  report.asked_launches = root.at("asked_launches").natural<std::uint64_t>();
  report.coverage = coverage_from(root.at("coverage"));
  for (const Node& node : root.at("branches").elements()) report.branches.push_back(branch_from(node));
  for (const Node& node : root.at("accesses").elements()) report.accesses.push_back(access_from(node));
  for (const Node& node : root.at("writers").elements()) report.writers.push_back(writer_from(node));
  for (const Node& node : root.at("host_copies").elements()) report.host_copies.push_back(host_copy_from(node));
  for (const Node& node : root.at("on_device").elements()) report.on_device.push_back(node.text());
  for (const Node& node : root.at("overreaches").elements()) report.overreaches.push_back(overreach_from(node));
  report.barriers = barriers_from(root.at("barriers"));
  report.kernel_seconds = root.at("kernel_seconds").seconds();
  for (const Node& node : root.at("launch_seconds").elements()) report.launch_seconds.push_back(node.seconds());
  for (const Node& node : root.at("calls").elements()) report.calls.push_back(call_from(node));
  report.call_count = root.at("call_count").natural<std::uint64_t>();
  for (const Node& node : root.at("module_errors").elements()) report.module_errors.push_back(node.text());
  for (const Node& node : root.at("not_executed").elements()) report.not_executed.push_back(node.text());
  report.optimised = root.at("optimised").boolean();
  report.context_error = root.at("context_error").natural<int>();
  report.said_goodbye = root.at("said_goodbye").boolean();
  report.interrupted = root.at("interrupted").boolean();
  report.protocol_error = root.at("protocol_error").text();
  report.exhausted = root.at("exhausted").text();
  report.internal_error = root.at("internal_error").text();
  return report;
}

}  // namespace cudalabs::vgpu
