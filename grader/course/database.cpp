// An SQLite database.
#include "course/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace cudalabs::course {
namespace {

constexpr int kPatienceMilliseconds = 10'000;  // with a page that is being written meanwhile

}  // namespace

Statement::Statement(Database& database, std::string_view sql)
    : database_(&database), statement_(nullptr, &sqlite3_finalize) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database.handle_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK)
    database.fail("cannot be asked");
  statement_.reset(statement);
}

Statement& Statement::bind(std::string_view text) {
  if (sqlite3_bind_text64(statement_.get(), ++bound_, text.empty() ? "" : text.data(), text.size(), SQLITE_TRANSIENT,
                          SQLITE_UTF8) != SQLITE_OK)
    database_->fail("takes no such text");
  return *this;
}

Statement& Statement::bind(std::int64_t value) {
  if (sqlite3_bind_int64(statement_.get(), ++bound_, value) != SQLITE_OK) database_->fail("takes no such number");
  return *this;
}

Statement& Statement::bind(double value) {
  if (sqlite3_bind_double(statement_.get(), ++bound_, value) != SQLITE_OK) database_->fail("takes no such number");
  return *this;
}

Statement& Statement::bind(std::optional<std::int64_t> value) {
  if (value) return bind(*value);
  if (sqlite3_bind_null(statement_.get(), ++bound_) != SQLITE_OK) database_->fail("takes no such number");
  return *this;
}

Statement& Statement::bind_bytes(std::string_view bytes) {
  if (sqlite3_bind_blob64(statement_.get(), ++bound_, bytes.empty() ? "" : bytes.data(), bytes.size(),
                          SQLITE_TRANSIENT) != SQLITE_OK)
    database_->fail("takes no such bytes");
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_->fail("cannot be read or written");
  return code == SQLITE_ROW;
}

void Statement::run() {
  while (step()) continue;
}

std::string Statement::text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string()
                          : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

Database::Database(const std::filesystem::path& file, bool create) : file_(file) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | (create ? SQLITE_OPEN_CREATE : 0);
  if (sqlite3_open_v2(std::filesystem::absolute(file).lexically_normal().c_str(), &handle_, flags, nullptr) !=
      SQLITE_OK) {
    const std::string message = sqlite3_errmsg(handle_);
    sqlite3_close(handle_);
    throw DatabaseError(fmt::format("{}: this database cannot be opened: {}", file.string(), message));
  }
  try {
    sqlite3_busy_timeout(handle_, kPatienceMilliseconds);
    // A commit is on the disk when it returns: what was graded is never graded again for want of it.
    execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  } catch (...) {
    sqlite3_close(handle_);
    throw;
  }
}

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail("cannot be read or written");
}

void Database::fail(std::string_view doing) const {
  if ((sqlite3_errcode(handle_) & 0xff) == SQLITE_FULL)
    throw DatabaseError(
        fmt::format("{}: the disk is full; what was graded before is kept: make room and run the same "
                    "command again",
                    file_.string()));
  throw DatabaseError(fmt::format("{}: this database {}: {}", file_.string(), doing, sqlite3_errmsg(handle_)));
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const DatabaseError&) {
    // A full disk has rolled it back already.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace cudalabs::course
