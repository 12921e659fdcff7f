// What a device made of every form, function and program.
#include "record.h"

#include <nlohmann/json.hpp>

namespace cudalabs::conformance {

namespace {

// One list of the fields, for both directions.
template <class R, class Visit>
void for_each_field(R& record, Visit visit) {
  visit("device", record.device);
  visit("driver", record.driver);
  visit("toolkit", record.toolkit);
  visit("date", record.date);
  visit("forms", record.forms);
  visit("samples", record.samples);
  visit("refused", record.refused);
  visit("programs", record.programs);
  visit("failed", record.failed);
}

}  // namespace

std::string write_record(const Record& record) {
  nlohmann::ordered_json json;
  for_each_field(record, [&](const char* name, const auto& value) { json[name] = value; });
  return json.dump(1) + '\n';
}

Record read_record(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  Record record;
  for_each_field(record, [&](const char* name, auto& value) { json.at(name).get_to(value); });
  return record;
}

}  // namespace cudalabs::conformance
