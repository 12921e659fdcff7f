// The evidence of the grading in progress.
#include "check/evidence.h"

#include <algorithm>
#include <stdexcept>

#include "check/session_state.h"

namespace cudalabs {
const Judgement& Trial::judged() const {
  if (!judgement) throw std::logic_error("a case was looked at before it was judged");
  return *judgement;
}

bool Trial::is_wrong() const {
  const Judgement& concluded = judged();
  return concluded.ending.has_value() || !concluded.mismatches.empty() ||
         std::ranges::find(concluded.device, Severity::error, &Finding::severity) != concluded.device.end();
}

bool Evidence::all_right() const {
  return build.ok && trials.size() == lab->cases.size() && std::ranges::none_of(trials, &Trial::is_wrong);
}

std::vector<const Trial*> Evidence::with_tag(std::string_view tag) const {
  std::vector<const Trial*> found;
  for (const Trial& trial : trials) {
    if (std::ranges::find(trial.test.spec.tags, tag) != trial.test.spec.tags.end()) found.push_back(&trial);
  }
  return found;
}

const Evidence& evidence() {
  if (session_state().evidence == nullptr) throw std::logic_error("a check asked for evidence, and there is none");
  return *session_state().evidence;
}

void set_evidence(const Evidence* evidence) {
  session_state().evidence = evidence;
}

}  // namespace cudalabs
