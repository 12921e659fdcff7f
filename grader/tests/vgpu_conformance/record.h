// What a device made of every form, function and program: a file of JSON, one line for each.
#pragma once

#include <map>
#include <set>
#include <string>

namespace cudalabs::conformance {

struct Record {
  std::string device, driver, toolkit, date;
  std::map<std::string, std::string> forms;     // key -> digests_of()
  std::map<std::string, std::string> samples;   // key -> samples_of(), of approximate forms
  std::set<std::string> refused;                // keys of forms that the device's translator does not take
  std::map<std::string, std::string> programs;  // name -> digest_of() what it wrote
  std::map<std::string, std::string> failed;    // key or name -> why there is no result
};

std::string write_record(const Record& record);
/// Throws nlohmann::json::exception when the text is no such record.
Record read_record(const std::string& text);

}  // namespace cudalabs::conformance
