// ServerReport to JSON.
#include <concepts>
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

/// Takes a part's members, each with its key, and makes an object of them.
class ObjectWriter {
 public:
  void operator()(const char* key, const auto& member) { object_[key] = written(member); }

  template <class Value>
  static json written(const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      return report::Texts<Value>::of.at(static_cast<std::size_t>(value));
    } else if constexpr (std::constructible_from<json, const Value&>) {
      return value;
    } else {
      ObjectWriter writer;
      report::fields(writer, value);
      return std::move(writer.object_);
    }
  }
  template <class Value>
  static json written(const std::optional<Value>& value) {
    return value ? written(*value) : json();
  }
  template <class Value>
  static json written(const std::vector<Value>& values) {
    json list = json::array();
    for (const Value& value : values) list.push_back(written(value));
    return list;
  }
  /// By numbers: a list of pairs.
  static json written(const std::map<std::uint32_t, std::uint64_t>& counts) {
    json list = json::array();
    for (const auto& [number, count] : counts) list.push_back({number, count});
    return list;
  }
  template <class Value>
  static json written(const std::map<std::string, Value>& values) {
    json object = json::object();
    for (const auto& [key, value] : values) object[key] = written(value);
    return object;
  }

 private:
  json object_ = json::object();
};

}  // namespace

std::string to_json(const ServerReport& report) {
  json value = ObjectWriter::written(report);
  value["version"] = ServerReport::kVersion;
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace cudalabs::vgpu
