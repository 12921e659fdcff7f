// Typed, checked reading of TOML tables: every problem becomes a LabError with file, line and key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab.h"
#include "lab/lab_keys.h"

namespace toml {
inline namespace v3 {
class table;
class node;
}  // namespace v3
}  // namespace toml

namespace cudalabs {

/// A value and the line it stands on, so that a later check can still point at it.
template <typename Value>
struct Placed {
  Value value{};
  std::uint32_t line = 0;
};

/// One table being read, and the keys it may have. A getter without a fallback requires its key. All throw LabError;
/// and std::logic_error where the reader asks for a key that is not described, or for another type than is described.
class TableReader {
 public:
  /// `name` says which table this is in messages: "[limits]"; empty for the top of the file. `keys` outlives the
  /// reader.
  TableReader(std::string file, std::string name, const toml::table& table, const KeyTable& keys);

  Placed<std::string> text(std::string_view key);                           // never empty
  Placed<std::string> text_or(std::string_view key, std::string fallback);  // the fallback is placed at the table
  double positive_or(std::string_view key, double fallback);  // finite, above zero; integers are taken too
  double points(std::string_view key);                        // finite, zero or above; integers are taken too
  double points_or(std::string_view key, double fallback);
  std::uint64_t count(std::string_view key);  // an integer, zero or above
  std::uint64_t count_or(std::string_view key, std::uint64_t fallback);
  std::uint64_t positive_count(std::string_view key);  // an integer, above zero
  std::uint64_t positive_count_or(std::string_view key, std::uint64_t fallback);
  bool flag_or(std::string_view key, bool fallback);
  std::optional<std::int64_t> moment_or_none(std::string_view key);  // with an offset; in seconds since 1970
  std::vector<Placed<std::string>> texts(std::string_view key);      // at least one, none twice, none empty
  std::vector<Placed<std::string>> texts_or_none(std::string_view key);
  std::vector<std::pair<std::string, std::int64_t>> integers(
      std::string_view key);  // a table of integers, at least one
  std::vector<std::pair<std::string, std::int64_t>> integers_or_none(std::string_view key);
  TableReader table(std::string_view key);  // "[key]"
  std::optional<TableReader> table_or_none(std::string_view key);
  std::vector<TableReader> tables(std::string_view key);  // "[[key]]", at least one
  std::vector<TableReader> tables_or_none(std::string_view key);

  /// Refuses keys that are not described, naming the nearest one. Throws std::logic_error when a described key was not
  /// asked for.
  void finish() const;

  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const;
  std::uint32_t line() const;

 private:
  /// Marks the key as asked for; it must be described as one of `types`.
  void require_described(std::string_view key, std::initializer_list<KeyType> types);
  const toml::node* find(std::string_view key, std::initializer_list<KeyType> types);
  const toml::node& require(std::string_view key, std::initializer_list<KeyType> types);
  std::string where(std::string_view key) const;  // "`points` in [[checks]]"
  double number(std::string_view key, const toml::node& node) const;
  std::uint64_t whole(std::string_view key, const toml::node& node) const;

  std::string file_;
  std::string name_;
  const toml::table* table_;
  const KeyTable* keys_;
  std::vector<std::string> asked_;
};

/// A parsed TOML file; keeps the tables that readers point into.
class TomlFile {
 public:
  /// Throws LabError when the file cannot be read or is not TOML.
  explicit TomlFile(const std::filesystem::path& path);
  ~TomlFile();
  TomlFile(const TomlFile&) = delete;
  TomlFile& operator=(const TomlFile&) = delete;

  /// `keys` outlives the reader.
  TableReader top(const KeyTable& keys) const;

 private:
  std::string file_;
  std::unique_ptr<toml::table> root_;
};

}  // namespace cudalabs
