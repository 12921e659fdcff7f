// How this terminal wants its report.
#include "report/console_style.h"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <clocale>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace cudalabs {
namespace {

constexpr unsigned kWidest = 120;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

/// 0 for what is no number.
unsigned number_of(std::string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

}  // namespace

TerminalStyle console_style(int descriptor) {
  TerminalStyle style;
  const bool terminal = isatty(descriptor) == 1;
  style.color = terminal && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  std::setlocale(LC_CTYPE, "");
  style.unicode = std::string_view(nl_langinfo(CODESET)) == "UTF-8";
  std::setlocale(LC_CTYPE, "C");
  winsize size{};
  if (terminal && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = std::min<unsigned>(size.ws_col, kWidest);
  } else if (const unsigned columns = number_of(variable("COLUMNS")); columns > 0) {
    style.width = std::min(columns, kWidest);
  }
  return style;
}

}  // namespace cudalabs
