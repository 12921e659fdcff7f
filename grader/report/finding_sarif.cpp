// Findings as SARIF 2.1.0.
#include "report/finding_sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "build/digest.h"
#include "report/finding_words.h"
#include "report/printable.h"
#include "report/source_paths.h"

namespace cudalabs {
namespace {

using Json = SarifFindings::Json;

constexpr std::string_view kRoot = "SRCROOT";
constexpr std::uint32_t kContext = 2;  // lines before and after

/// Text for a message. Braces are placeholders there, and `](` would begin a link.
std::string message_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '(' && out.ends_with(']')) out += ' ';
    out += c;
    if (c == '{' || c == '}') out += c;
  }
  return out;
}

Json message(std::string_view text) {
  return {{"text", message_text(text)}};
}

std::string_view level_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

/// Columns of UTF-16 from columns of bytes, both from 1.
std::size_t utf16_column(std::string_view line, std::uint32_t column) {
  std::size_t units = 1;
  for (const char c : line.substr(0, std::min<std::size_t>(column - 1, line.size()))) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) continue;
    units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

}  // namespace

/// The places and results of one log, made one after another.
class SarifFindings::Log {
 public:
  Log(const SourceText& sources, const SourcePaths& paths, std::string_view whole)
      : sources_(sources), paths_(paths), whole_(whole) {}

  void add(const Finding& finding) {
    const FindingRule* known = finding_rule(finding.id);
    results_.push_back(result_of(finding, rule_index(known != nullptr ? *known : FindingRule{finding.id, {}, {}})));
  }

  void add(const FindingRule& rule, std::string_view text, std::string_view what) {
    results_.push_back({{"ruleId", printable_line(rule.id)},
                        {"ruleIndex", rule_index(rule)},
                        {"level", "error"},
                        {"message", message(text)},
                        {"locations", whole()},
                        {"partialFingerprints", fingerprint(rule.id, {}, what)}});
  }

  void suppress_last(std::string_view why) {
    Json suppression{{"kind", "external"}};
    if (!why.empty()) suppression["justification"] = printable(why);
    results_.back()["suppressions"] = Json::array({std::move(suppression)});
  }

  std::string text(std::string_view category, const Json& invocation, const Json& properties) const {
    Json run{{"tool", {{"driver", driver()}}},
             {"invocations", Json::array({invocation})},
             {"originalUriBaseIds", {{kRoot, {{"description", message("the top of the repository")}}}}},
             {"automationDetails", {{"id", fmt::format("cudalabs/{}/", printable_line(category))}}},
             {"columnKind", "utf16CodeUnits"},
             {"results", results_}};
    if (!properties.is_null()) run["properties"] = properties;
    const Json log{{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", Json::array({std::move(run)})}};
    return log.dump(2) + "\n";
  }

 private:
  // --- Rules: those that results refer to, in the order in which they first do.

  struct Rule {
    std::string id, title, help;
  };

  std::size_t rule_index(const FindingRule& rule) {
    const auto found = std::ranges::find(rules_, rule.id, &Rule::id);
    if (found != rules_.end()) return static_cast<std::size_t>(found - rules_.begin());
    rules_.push_back({std::string(rule.id), std::string(rule.title), std::string(rule.help)});
    return rules_.size() - 1;
  }

  static Json rule_json(const Rule& rule) {
    Json json{{"id", printable_line(rule.id)}};
    if (const std::string name = camel_case(rule.id); !name.empty()) json["name"] = name;
    if (rule.title.empty()) return json;
    json["shortDescription"] = {{"text", rule.title + "."}};
    json["fullDescription"] = {{"text", fmt::format("{}. {}", rule.title, rule.help)}};
    json["help"] = {{"text", rule.help}, {"markdown", rule.help}};
    return json;
  }

  Json driver() const {
    Json rules = Json::array();
    for (const Rule& rule : rules_) rules.push_back(rule_json(rule));
    return {{"name", "CUDA Labs"}, {"rules", std::move(rules)}};
  }

  // --- Places.

  std::string uri_of_file(std::string_view file) const {
    const auto found = paths_.find(file);
    return found == paths_.end() ? std::string() : uri_of(found->second);
  }

  static Json artifact(const std::string& uri) {
    if (uri.starts_with('/')) return {{"uri", "file://" + uri}};
    return {{"uri", uri}, {"uriBaseId", kRoot}};
  }

  /// Null for a file that is not in the repository.
  Json physical(const SourcePlace& place) const {
    const std::string uri = uri_of_file(place.file);
    if (uri.empty() || !place.known()) return nullptr;
    Json location{{"artifactLocation", artifact(uri)}, {"region", {{"startLine", place.line}}}};
    const std::string line = sources_.line(place.file, place.line);
    if (place.column != 0 && place.column <= line.size())
      location["region"]["startColumn"] = utf16_column(line, place.column);
    if (line.empty()) return location;
    location["region"]["snippet"] = {{"text", printable(line)}};
    const std::uint32_t first = place.line > kContext ? place.line - kContext : 1;
    std::string around;
    std::uint32_t last = first;
    for (std::uint32_t at = first; at <= place.line + kContext; ++at) {
      const std::string text = sources_.line(place.file, at);
      if (at > place.line && text.empty()) break;
      around += printable(text) + '\n';
      last = at;
    }
    location["contextRegion"] = {{"startLine", first}, {"endLine", last}, {"snippet", {{"text", around}}}};
    return location;
  }

  /// The file that findings without a place belong to.
  Json whole() const {
    const std::string uri = uri_of_file(whole_);
    if (uri.empty()) return Json::array();
    return Json::array({{{"physicalLocation", {{"artifactLocation", artifact(uri)}}}}});
  }

  static Json logical(const std::string& kernel) {
    return Json::array({{{"name", printable_line(kernel)}, {"kind", "function"}}});
  }

  Json locations(const Finding& finding) const {
    const Json place = physical(finding.where);
    if (place.is_null()) return whole();
    Json location{{"physicalLocation", place}};
    if (!finding.kernel.empty()) location["logicalLocations"] = logical(finding.kernel);
    return Json::array({std::move(location)});
  }

  static std::string label_of(const OtherPlace& other) {
    const std::string who = thread_text(other.block, other.thread);
    return who.empty() || other.label.empty() ? other.label + who : other.label + ", " + who;
  }

  // --- Results.

  static std::string text_of(const Finding& finding) {
    std::string text = sentence(finding.message);
    if (!finding.note.empty()) text += "\n" + finding.note;
    if (!finding.help.empty()) text += "\nHelp: " + finding.help;
    return text;
  }

  /// Each of the two sides as a thread of its own: neither comes before the other, that is what is wrong.
  Json code_flow(const Finding& finding, const Json& here, const Json& there) const {
    const auto thread = [](const std::string& who, const Json& place, const std::string& what) {
      return Json{{"message", message(who)},
                  {"locations", {{{"location", {{"physicalLocation", place}, {"message", message(what)}}}}}}};
    };
    const std::string one = thread_text(finding.other->block, finding.other->thread);
    const std::string two = thread_text(finding.block, finding.thread);
    return {{"message", message("two threads, and nothing orders what they do")},
            {"threadFlows", {thread(one, there, finding.other->label), thread(two, here, finding.message)}}};
  }

  Json result_of(const Finding& finding, std::size_t rule) {
    Json result{{"ruleId", printable_line(finding.id)},
                {"ruleIndex", rule},
                {"level", level_of(finding.severity)},
                {"message", message(text_of(finding))},
                {"locations", locations(finding)},
                {"partialFingerprints", fingerprint(finding.id, finding.where, finding.kernel)},
                {"occurrenceCount", std::max<std::uint64_t>(finding.count, 1)}};
    if (!finding.other) return result;
    const Json there = physical(finding.other->place), here = physical(finding.where);
    if (there.is_null()) return result;
    result["relatedLocations"] =
        Json::array({{{"id", 1}, {"physicalLocation", there}, {"message", message(label_of(*finding.other))}}});
    const bool by_threads = finding.thread && finding.other->thread;
    if (by_threads && !here.is_null()) result["codeFlows"] = Json::array({code_flow(finding, here, there)});
    return result;
  }

  /// The same for the same finding in the same text, wherever in the file the text has moved. Equal ones are counted.
  Json fingerprint(std::string_view id, const SourcePlace& place, std::string_view what) {
    std::string line = sources_.line(place.file, place.line);
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    const std::string uri = uri_of_file(place.file.empty() ? whole_ : place.file);
    const std::string key = fmt::format("{}\n{}\n{}\n{}", id, uri, what, line);
    return {{"findingOnLine/v1", fmt::format("{}:{}", builder::sha256(key).substr(0, 32), ++seen_[key])}};
  }

  const SourceText& sources_;
  const SourcePaths& paths_;
  const std::string whole_;
  std::vector<Rule> rules_;
  Json results_ = Json::array();
  std::map<std::string, int> seen_;
};

SarifFindings::SarifFindings(const SourceText& sources, const SourcePaths& paths, std::string_view whole)
    : log_(std::make_unique<Log>(sources, paths, whole)) {}

SarifFindings::~SarifFindings() = default;

void SarifFindings::add(const Finding& finding) {
  log_->add(finding);
}

void SarifFindings::add_suppressed(const Finding& finding, std::string_view why) {
  log_->add(finding);
  log_->suppress_last(why);
}

void SarifFindings::add(const FindingRule& rule, std::string_view text, std::string_view what) {
  log_->add(rule, text, what);
}

std::string SarifFindings::text(std::string_view category, const Json& invocation, const Json& properties) const {
  return log_->text(category, invocation, properties);
}

nlohmann::ordered_json sarif_invocation(bool successful, std::span<const std::string> errors) {
  Json notifications = Json::array();
  for (const std::string& error : errors) notifications.push_back({{"level", "error"}, {"message", message(error)}});
  Json json{{"executionSuccessful", successful}};
  if (!notifications.empty()) json["toolExecutionNotifications"] = std::move(notifications);
  return json;
}

}  // namespace cudalabs
