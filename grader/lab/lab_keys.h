// What lab.toml and hidden.toml may say: every key with its type, default, unit and meaning. The reader refuses what is
// not here, and docs/LAB_FILES.md is printed from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

enum class KeyType : std::uint8_t {
  text,            // a string, never empty
  texts,           // an array of strings: at least one, none twice, none empty
  number,          // an integer or a float, zero or above
  positive,        // an integer or a float, above zero
  count,           // an integer, zero or above
  positive_count,  // an integer, above zero
  flag,            // true or false
  moment,          // a date and time with an offset
  integers,        // a table of integers, at least one
  table,           // [key]
  tables           // [[key]], at least one
};

/// What a person may write for a key of the type: "an integer above 0".
std::string_view words_of(KeyType type);

struct KeyTable;

struct Key {
  std::string name;
  KeyType type = KeyType::text;
  std::string fallback;             // as a person would write it, or what its absence means; empty: the key is required
  std::string unit;                 // empty: a plain number, or none
  std::string meaning;              // a sentence or two
  const KeyTable* table = nullptr;  // what a key of type table or tables holds
};

/// The keys of one table, in the order in which labs write them.
struct KeyTable {
  std::string heading;  // "[limits]"; the file's name for its top
  std::string meaning;
  std::vector<Key> keys;

  /// Null where there is no such key.
  const Key* find(std::string_view name) const;
};

const KeyTable& lab_keys();       // the top of lab.toml
const KeyTable& hidden_keys();    // the top of hidden.toml
const KeyTable& baseline_keys();  // the top of baseline.toml

/// All of the above as a page of Markdown: docs/LAB_FILES.md.
std::string lab_keys_page();

}  // namespace cudalabs
