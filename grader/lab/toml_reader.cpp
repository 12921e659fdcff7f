// The only file that includes toml++: it is a large header, and the rest of the room needs values, not nodes.
#include "lab/toml_reader.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "lab/nearest.h"

namespace cudalabs {
namespace {

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "a boolean";
    default:
      return "a date or time";
  }
}

std::uint32_t line_of(const toml::node& node) {
  return std::max<std::uint32_t>(1, node.source().begin.line);
}

}  // namespace

TableReader::TableReader(std::string file, std::string name, const toml::table& table, const KeyTable& keys)
    : file_(std::move(file)), name_(std::move(name)), table_(&table), keys_(&keys) {}

void TableReader::fail(std::uint32_t line, const std::string& message) const {
  throw LabError(fmt::format("{}:{}: {}", file_, line, message));
}

std::uint32_t TableReader::line() const {
  return line_of(*table_);
}

std::string TableReader::where(std::string_view key) const {
  return name_.empty() ? fmt::format("`{}`", key) : fmt::format("`{}` in {}", key, name_);
}

void TableReader::require_described(std::string_view key, std::initializer_list<KeyType> types) {
  const Key* found = keys_->find(key);
  if (found == nullptr || std::ranges::find(types, found->type) == types.end()) {
    throw std::logic_error(fmt::format("{} is not described as it is read", where(key)));
  }
  asked_.emplace_back(key);
}

const toml::node* TableReader::find(std::string_view key, std::initializer_list<KeyType> types) {
  require_described(key, types);
  return table_->get(key);
}

const toml::node& TableReader::require(std::string_view key, std::initializer_list<KeyType> types) {
  const toml::node* node = find(key, types);
  if (node == nullptr) fail(line(), fmt::format("{} is missing", where(key)));
  return *node;
}

Placed<std::string> TableReader::text(std::string_view key) {
  const toml::node& node = require(key, {KeyType::text});
  const toml::value<std::string>* text = node.as_string();
  if (text == nullptr) fail(line_of(node), fmt::format("{} must be a string, not {}", where(key), type_name(node)));
  if (text->get().empty()) fail(line_of(node), fmt::format("{} is empty", where(key)));
  return {text->get(), line_of(node)};
}

Placed<std::string> TableReader::text_or(std::string_view key, std::string fallback) {
  if (find(key, {KeyType::text}) != nullptr) return text(key);
  return {std::move(fallback), line()};
}

double TableReader::number(std::string_view key, const toml::node& node) const {
  double value = 0;
  if (const toml::value<double>* real = node.as_floating_point()) {
    value = real->get();
  } else if (const toml::value<std::int64_t>* integer = node.as_integer()) {
    value = static_cast<double>(integer->get());
  } else {
    fail(line_of(node), fmt::format("{} must be a number, not {}", where(key), type_name(node)));
  }
  if (!std::isfinite(value)) fail(line_of(node), fmt::format("{} must be finite", where(key)));
  return value;
}

double TableReader::positive_or(std::string_view key, double fallback) {
  const toml::node* node = find(key, {KeyType::positive});
  if (node == nullptr) return fallback;
  const double value = number(key, *node);
  if (!(value > 0)) fail(line_of(*node), fmt::format("{} must be above zero", where(key)));
  return value;
}

double TableReader::points(std::string_view key) {
  const toml::node& node = require(key, {KeyType::number});
  const double value = number(key, node);
  if (value < 0) fail(line_of(node), fmt::format("{} must not be negative", where(key)));
  return value;
}

double TableReader::points_or(std::string_view key, double fallback) {
  return find(key, {KeyType::number}) == nullptr ? fallback : points(key);
}

std::uint64_t TableReader::whole(std::string_view key, const toml::node& node) const {
  const toml::value<std::int64_t>* integer = node.as_integer();
  if (integer == nullptr)
    fail(line_of(node), fmt::format("{} must be an integer, not {}", where(key), type_name(node)));
  if (integer->get() < 0) fail(line_of(node), fmt::format("{} must not be negative", where(key)));
  return static_cast<std::uint64_t>(integer->get());
}

std::uint64_t TableReader::count(std::string_view key) {
  return whole(key, require(key, {KeyType::count}));
}

std::uint64_t TableReader::count_or(std::string_view key, std::uint64_t fallback) {
  const toml::node* node = find(key, {KeyType::count});
  return node == nullptr ? fallback : whole(key, *node);
}

std::uint64_t TableReader::positive_count(std::string_view key) {
  const toml::node& node = require(key, {KeyType::positive_count});
  const std::uint64_t value = whole(key, node);
  if (value == 0) fail(line_of(node), fmt::format("{} must be above zero", where(key)));
  return value;
}

std::uint64_t TableReader::positive_count_or(std::string_view key, std::uint64_t fallback) {
  return find(key, {KeyType::positive_count}) == nullptr ? fallback : positive_count(key);
}

bool TableReader::flag_or(std::string_view key, bool fallback) {
  const toml::node* node = find(key, {KeyType::flag});
  if (node == nullptr) return fallback;
  const auto* value = node->as_boolean();
  if (value == nullptr) {
    fail(line_of(*node), fmt::format("{} must be true or false, not {}", where(key), type_name(*node)));
  }
  return value->get();
}

std::optional<std::int64_t> TableReader::moment_or_none(std::string_view key) {
  const toml::node* node = find(key, {KeyType::moment});
  if (node == nullptr) return std::nullopt;
  const auto* value = node->as_date_time();
  if (value == nullptr || !value->get().offset) {
    fail(line_of(*node),
         fmt::format("{} must be a date and time with an offset: 2026-11-20T23:59:00+01:00", where(key)));
  }
  const auto& [date, time, offset] = value->get();
  using namespace std::chrono;
  const sys_days day = year_month_day(year(date.year), month(date.month), std::chrono::day(date.day));
  return duration_cast<seconds>(day.time_since_epoch()).count() + time.hour * 3600 + time.minute * 60 + time.second -
         offset->minutes * 60;
}

std::vector<Placed<std::string>> TableReader::texts(std::string_view key) {
  const toml::node& node = require(key, {KeyType::texts});
  const toml::array* array = node.as_array();
  if (array == nullptr) {
    fail(line_of(node), fmt::format("{} must be an array of strings, not {}", where(key), type_name(node)));
  }
  if (array->empty()) fail(line_of(node), fmt::format("{} is empty", where(key)));
  std::vector<Placed<std::string>> texts;
  for (const toml::node& item : *array) {
    const toml::value<std::string>* text = item.as_string();
    if (text == nullptr) fail(line_of(item), fmt::format("{} must hold strings, not {}", where(key), type_name(item)));
    if (text->get().empty()) fail(line_of(item), fmt::format("{} holds an empty string", where(key)));
    if (std::ranges::find(texts, text->get(), &Placed<std::string>::value) != texts.end()) {
      fail(line_of(item), fmt::format("{} holds \"{}\" twice", where(key), text->get()));
    }
    texts.push_back({text->get(), line_of(item)});
  }
  return texts;
}

std::vector<Placed<std::string>> TableReader::texts_or_none(std::string_view key) {
  if (find(key, {KeyType::texts}) != nullptr) return texts(key);
  return {};
}

std::vector<std::pair<std::string, std::int64_t>> TableReader::integers(std::string_view key) {
  const toml::node& node = require(key, {KeyType::integers});
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    fail(line_of(node), fmt::format("{} must be a table of integers, not {}", where(key), type_name(node)));
  }
  if (table->empty()) fail(line_of(node), fmt::format("{} is empty", where(key)));
  std::vector<std::pair<std::string, std::int64_t>> integers;
  for (const auto& [name, value] : *table) {
    const toml::value<std::int64_t>* integer = value.as_integer();
    if (integer == nullptr) {
      fail(line_of(value),
           fmt::format("`{}` of {} must be an integer, not {}", name.str(), where(key), type_name(value)));
    }
    integers.emplace_back(name.str(), integer->get());
  }
  return integers;
}

std::vector<std::pair<std::string, std::int64_t>> TableReader::integers_or_none(std::string_view key) {
  if (find(key, {KeyType::integers}) != nullptr) return integers(key);
  return {};
}

TableReader TableReader::table(std::string_view key) {
  const toml::node& node = require(key, {KeyType::table});
  const toml::table* table = node.as_table();
  if (table == nullptr) fail(line_of(node), fmt::format("{} must be a table, not {}", where(key), type_name(node)));
  return {file_, fmt::format("[{}]", key), *table, *keys_->find(key)->table};
}

std::optional<TableReader> TableReader::table_or_none(std::string_view key) {
  if (find(key, {KeyType::table}) != nullptr) return table(key);
  return std::nullopt;
}

std::vector<TableReader> TableReader::tables(std::string_view key) {
  const toml::node& node = require(key, {KeyType::tables});
  const toml::array* array = node.as_array();
  if (array == nullptr) {
    fail(line_of(node), fmt::format("{} must be an array of tables, [[{}]], not {}", where(key), key, type_name(node)));
  }
  if (array->empty()) fail(line_of(node), fmt::format("{} is empty", where(key)));
  std::vector<TableReader> tables;
  for (const toml::node& item : *array) {
    const toml::table* table = item.as_table();
    if (table == nullptr) fail(line_of(item), fmt::format("{} must hold tables, not {}", where(key), type_name(item)));
    tables.emplace_back(file_, fmt::format("[[{}]]", key), *table, *keys_->find(key)->table);
  }
  return tables;
}

std::vector<TableReader> TableReader::tables_or_none(std::string_view key) {
  if (find(key, {KeyType::tables}) != nullptr) return tables(key);
  return {};
}

void TableReader::finish() const {
  std::vector<std::string> names;
  for (const Key& key : keys_->keys) {
    names.push_back(key.name);
    if (std::ranges::find(asked_, key.name) == asked_.end()) {
      throw std::logic_error(fmt::format("{} is described, and nobody reads it", where(key.name)));
    }
  }
  // The table iterates in alphabetical order; the first unknown key in the file is the one to report.
  const toml::key* first = nullptr;
  for (const auto& [key, value] : *table_) {
    if (keys_->find(key.str()) != nullptr) continue;
    if (first == nullptr || key.source().begin.line < first->source().begin.line) first = &key;
  }
  if (first == nullptr) return;
  fail(std::max<std::uint32_t>(1, first->source().begin.line),
       fmt::format("unknown key {}{}", where(first->str()), suggestion(first->str(), names)));
}

TomlFile::TomlFile(const std::filesystem::path& path) : file_(path.string()) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream || !std::filesystem::is_regular_file(path)) throw LabError(file_ + ":1: this file cannot be read");
  try {
    root_ = std::make_unique<toml::table>(toml::parse(stream, file_));
  } catch (const toml::parse_error& error) {
    throw LabError(
        fmt::format("{}:{}: {}", file_, std::max<std::uint32_t>(1, error.source().begin.line), error.description()));
  }
}

TomlFile::~TomlFile() = default;

TableReader TomlFile::top(const KeyTable& keys) const {
  return {file_, "", *root_, keys};
}

}  // namespace cudalabs
