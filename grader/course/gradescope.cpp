// Gradescope's export of submissions. Its keys are Ruby's symbols: they begin with a colon.
#include "course/gradescope.h"

#include <yaml-cpp/yaml.h>

#include <stdexcept>

#include "course/moment.h"

namespace cudalabs::course {
namespace {

std::string text_of(const YAML::Node& node, const char* key) {
  const YAML::Node value = node[key];
  return value && value.IsScalar() ? value.Scalar() : std::string();
}

Claim claim_of(const YAML::Node& submitter) {
  Claim claim;
  for (const char* key : {":sid", ":email"}) {
    if (std::string id = text_of(submitter, key); !id.empty() && id != "~" && id != "null")
      claim.ids.push_back(std::move(id));
  }
  claim.name = text_of(submitter, ":name");
  return claim;
}

}  // namespace

std::map<std::string, GradescopeSubmission> read_gradescope_metadata(const std::string& text) {
  std::map<std::string, GradescopeSubmission> submissions;
  try {
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap()) throw std::runtime_error(std::string(kGradescopeMetadata) + ": this lists no submissions");
    for (const auto& entry : root) {
      GradescopeSubmission& submission = submissions[entry.first.as<std::string>()];
      if (!entry.second.IsMap()) continue;
      const YAML::Node submitters = entry.second[":submitters"];
      if (submitters && submitters.IsSequence()) {
        for (const YAML::Node& submitter : submitters) {
          if (submitter.IsMap()) submission.submitters.push_back(claim_of(submitter));
        }
      }
      submission.handed_in = parse_moment(text_of(entry.second, ":created_at"));
    }
  } catch (const YAML::Exception& error) {
    throw std::runtime_error(std::string(kGradescopeMetadata) + ": " + error.what());
  }
  return submissions;
}

}  // namespace cudalabs::course
