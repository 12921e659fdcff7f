#include "source/lambda_text.h"

#include "text/code_scan.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; a person writes fewer lambdas, and shorter heads of them.
constexpr std::size_t kMostLambdas = 32, kLongestLambdaHead = 200;

/// The brace of the body, behind the parameters: past "mutable", "noexcept" and "-> bool"; kNowhere: there is none.
std::size_t body_behind(std::string_view code, std::size_t at) {
  const std::size_t found = code.substr(at, kLongestLambdaHead).find_first_of("{;=,");
  return found != kNowhere && code[at + found] == '{' ? at + found : kNowhere;
}

}  // namespace

std::vector<FunctionBody> named_lambdas(std::string_view code) {
  std::vector<FunctionBody> found;
  std::size_t tried = 0;
  for (std::size_t open = code.find('['); open != kNowhere; open = code.find('[', open + 1)) {
    const std::size_t sign = before_spaces(code, open);
    const std::string_view name = sign != kNowhere && code[sign] == '=' ? word_before(code, sign) : std::string_view();
    if (name.empty()) continue;
    if (++tried > kMostLambdas) return found;
    const std::size_t captured = code.substr(open, kLongestLambdaHead).find(']');
    if (captured == kNowhere) continue;
    const std::size_t list = past_spaces(code, open + captured + 1);
    const std::size_t listed = list < code.size() && code[list] == '(' ? past_bracket(code, list) : kNowhere;
    const std::size_t body = listed == kNowhere ? kNowhere : body_behind(code, listed);
    const std::size_t end = body == kNowhere ? kNowhere : past_bracket(code, body);
    if (end == kNowhere) continue;
    const auto parameters = items_of(code.substr(list + 1, listed - list - 2));
    found.push_back({std::string(name), {parameters.begin(), parameters.end()}, body, end});
  }
  return found;
}

}  // namespace cudalabs
