// An SQLite database: every statement is checked, every failure names the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace cudalabs::course {

/// What the database or its disk refused: the message names the file, and says so when the disk is full.
class DatabaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Database;

/// A prepared statement. Values are bound in the order of its question marks.
class Statement {
 public:
  Statement& bind(std::string_view text);
  Statement& bind(const char* text) { return bind(std::string_view(text)); }
  Statement& bind(const std::string& text) { return bind(std::string_view(text)); }
  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::optional<std::int64_t> value);
  Statement& bind_bytes(std::string_view bytes);

  /// The next row; false when there is none.
  bool step();
  /// For what has no rows.
  void run();

  std::string text(int column) const;  // bytes as well
  std::int64_t integer(int column) const;
  double real(int column) const;
  bool is_null(int column) const;

 private:
  friend class Database;
  Statement(Database& database, std::string_view sql);

  Database* database_;
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement_;
  int bound_ = 0;
};

class Database {
 public:
  /// Opens the file, or makes it when `create`. What is committed stays, whatever ends the process or the machine.
  Database(const std::filesystem::path& file, bool create);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Statement prepare(std::string_view sql) { return {*this, sql}; }
  /// Several statements without values.
  void execute(const std::string& sql);
  [[noreturn]] void fail(std::string_view doing) const;

 private:
  friend class Statement;
  std::filesystem::path file_;
  sqlite3* handle_ = nullptr;
};

/// All or nothing of what is done while it exists: rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace cudalabs::course
