#include "host_rules.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

namespace cudalabs::test {
namespace {

using Json = nlohmann::json;
using Faults = std::vector<std::string>;

/// Runs `look` on the parsed text; what it throws is a fault, too.
Faults look_at(const std::string& text, const std::function<void(const Json&, Faults&)>& look) {
  Faults faults;
  try {
    look(Json::parse(text), faults);
  } catch (const std::exception& error) {
    faults.emplace_back(error.what());
  }
  return faults;
}

void require(bool holds, const std::string& rule, Faults& faults) {
  if (!holds) faults.push_back(rule);
}

bool one_of(const Json& value, const std::set<std::string>& known) {
  return value.is_string() && known.contains(value.get<std::string>());
}

std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const std::size_t end = text.rfind('\n');
  return end == std::string::npos ? text : text.substr(end + 1);
}

/// As Autolab reads it: every word before a colon gets quotes.
Json autolab_line(const std::string& text) {
  return Json::parse(std::regex_replace(last_line(text), std::regex("([a-zA-Z0-9]+):"), "\"$1\":"));
}

std::string classroom_json(const std::string& text) {
  const std::string line = last_line(text);
  if (!line.starts_with("result=")) throw std::runtime_error("there is no output `result`");
  return from_base64(line.substr(7));
}

}  // namespace

std::string from_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) throw std::runtime_error("base64 comes in groups of four");
  std::string bytes;
  unsigned word = 0, bits = 0;
  for (const char letter : text) {
    if (letter == '=') break;
    const std::size_t value = letters.find(letter);
    if (value == std::string::npos) throw std::runtime_error("no letter of base64");
    word = word << 6 | static_cast<unsigned>(value);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(word >> bits & 0xff);
    }
  }
  return bytes;
}

Faults gradescope_faults(const std::string& text) {
  const std::set<std::string> formats = {"text", "html", "simple_format", "md", "ansi"};
  const std::set<std::string> visibilities = {"hidden", "after_due_date", "after_published", "visible"};
  return look_at(text, [&](const Json& json, Faults& faults) {
    require(json.contains("score") || !json.at("tests").empty(), "a score, or tests", faults);
    for (const char* key : {"output_format", "test_output_format", "test_name_format"})
      if (json.contains(key)) require(one_of(json.at(key), formats), std::string(key) + " is a format", faults);
    for (const char* key : {"visibility", "stdout_visibility"})
      if (json.contains(key)) require(one_of(json.at(key), visibilities), std::string(key) + " is known", faults);
    if (json.contains("execution_time")) require(json.at("execution_time").is_number(), "a time is a number", faults);
    require(!json.contains("leaderboard") || json.at("leaderboard").empty(), "no leaderboard", faults);
    for (const Json& test : json.at("tests")) {
      require(test.at("score").is_number() && test.at("max_score").is_number(), "points are numbers", faults);
      require(test.at("score") <= test.at("max_score"), "no more points than there are", faults);
      require(one_of(test.at("status"), {"passed", "failed"}), "a status is passed or failed", faults);
      require(one_of(test.at("visibility"), visibilities), "a test's visibility is known", faults);
      require(test.at("name").is_string() && test.at("output").is_string(), "name and output are texts", faults);
      require(test.at("number").is_string(), "a number is a text", faults);
    }
  });
}

Faults classroom_faults(const std::string& text) {
  std::string json;
  try {
    json = classroom_json(text);
  } catch (const std::exception& error) {
    return {error.what()};
  }
  return look_at(json, [](const Json& result, Faults& faults) {
    require(result.at("version") == 1, "version 1", faults);
    require(one_of(result.at("status"), {"pass", "fail", "error"}), "the status is known", faults);
    require(result.at("max_score").is_number_integer(), "the most points are a whole number", faults);
    require(!result.at("tests").empty(), "there are tests", faults);
    for (const Json& test : result.at("tests")) {
      require(one_of(test.at("status"), {"pass", "fail", "error"}), "a test's status is known", faults);
      require(test.at("score").is_number(), "every test has a score: without one the sum is no number", faults);
      require(test.at("name").is_string() && test.at("message").is_string(), "name and message are texts", faults);
      require(test.at("line_no").is_number_integer(), "a line is a number", faults);
    }
  });
}

Faults prairielearn_faults(const std::string& text) {
  Faults faults = look_at(text, [](const Json& json, Faults& found) {
    const bool gradable = json.value("gradable", true);
    if (!gradable) return;
    require(json.at("score").is_number() && json.at("score") >= 0 && json.at("score") <= 1, "a score is 0 to 1", found);
    std::size_t with_points = 0;
    for (const Json& test : json.at("tests")) with_points += test.contains("points") && test.contains("max_points");
    require(with_points == 0 || with_points == json.at("tests").size(), "points on all tests or on none", found);
  });
  if (text.size() > 1'000'000) faults.emplace_back("at most 1 MB");
  return faults;
}

Faults autolab_faults(const std::string& text) {
  Faults faults;
  try {
    const Json json = autolab_line(text);
    require(json.at("scores").is_object() && !json.at("scores").empty(), "scores has a problem", faults);
    for (const auto& [problem, score] : json.at("scores").items())
      require(score.is_number() || score.is_null(), "the score of " + problem + " is a number or none", faults);
  } catch (const std::exception& error) {
    faults.emplace_back(error.what());
  }
  return faults;
}

Faults submitty_faults(const std::string& text) {
  const std::set<std::string> states = {"information", "failure", "warning", "success"};
  return look_at(text, [&](const Json& json, Faults& faults) {
    require(one_of(json.at("status"), {"success", "failure"}), "the status is success or failure", faults);
    if (json.at("status") == "failure") {
      require(json.at("message").is_string(), "a failure has a message", faults);
      return;
    }
    const Json& data = json.at("data");
    require(data.at("score").is_number() && data.at("score") >= 0 && data.at("score") <= 1, "a score is 0 to 1",
            faults);
    require(data.at("message").is_array() && !data.at("message").empty(), "there are messages", faults);
    for (const Json& message : data.at("message")) {
      require(message.at("message").is_string(), "a message is a text", faults);
      require(one_of(message.at("status"), states), "a message's status is known", faults);
    }
  });
}

double gradescope_points(const std::string& text) {
  const Json json = Json::parse(text);
  double sum = 0;
  for (const Json& test : json.at("tests")) sum += test.at("score").get<double>();
  return sum;
}
double classroom_points(const std::string& text) {
  const Json json = Json::parse(classroom_json(text));
  double sum = 0;
  for (const Json& test : json.at("tests")) sum += test.at("score").get<double>();
  return sum;
}
double prairielearn_points(const std::string& text) {
  const Json json = Json::parse(text);
  return json.value("gradable", true) ? 100 * json.at("score").get<double>() : -1;
}
double autolab_points(const std::string& text) {
  const Json json = autolab_line(text);
  const Json& score = *json.at("scores").begin();
  return score.is_null() ? -1 : score.get<double>();
}
double submitty_points(const std::string& text) {
  const Json json = Json::parse(text);
  return json.at("status") == "success" ? 100 * json.at("data").at("score").get<double>() : -1;
}

}  // namespace cudalabs::test
