// The text of the exception that a call ends with: for looking at parts of it in both versions of Catch2.
#pragma once

#include <exception>
#include <string>

namespace cudalabs::tests {

/// what() of the std::exception `call` throws; empty when it throws none.
template <typename Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

/// Whether `text` holds `part`.
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace cudalabs::tests
