#include "patch/operators/callee_patches.h"

#include <array>
#include <map>

#include "patch/add_patch.h"
#include "patch/patched_source.h"
#include "patch/token_roles.h"

namespace cudalabs::patch {
namespace {

/// What is taken for it, and what is meant; both take the same arguments.
struct SimilarCalls {
  std::string_view before, now;
};

constexpr std::array<SimilarCalls, 6> kSimilarCalls{{{"cudaPeekAtLastError", "cudaGetLastError"},
                                                     {"__syncwarp", "__syncthreads"},
                                                     {"cudaEventQuery", "cudaEventSynchronize"},
                                                     {"cudaStreamQuery", "cudaStreamSynchronize"},
                                                     {"__shfl_up_sync", "__shfl_down_sync"},
                                                     {"__shfl_down_sync", "__shfl_up_sync"}}};

constexpr std::string_view kToDevice = "cudaMemcpyHostToDevice", kToHost = "cudaMemcpyDeviceToHost";

}  // namespace

void add_callees(const PatchedSource& source, std::vector<Patch>& patches) {
  const TokenRoles& roles = source.roles;
  bool to_device = false, to_host = false;
  for (const Token& token : source.tokens) {
    to_device = to_device || token.is(kToDevice);
    to_host = to_host || token.is(kToHost);
  }
  for (std::size_t at = 0; at < source.tokens.size(); ++at) {
    const Token& token = source.tokens[at];
    if (token.kind != TokenKind::name || !roles.in_body(at)) continue;
    for (const SimilarCalls& similar : kSimilarCalls) {
      const bool has_mask = token.is("__syncwarp") && !roles.is(at + 2, ")");
      if (token.is(similar.before) && roles.is(at + 1, "(") && !has_mask)
        add_replacement(source, PatchKind::name, token, similar.now, patches);
    }
    if (to_device != to_host && token.is(kToDevice)) add_replacement(source, PatchKind::name, token, kToHost, patches);
    if (to_device != to_host && token.is(kToHost)) add_replacement(source, PatchKind::name, token, kToDevice, patches);
  }
}

void add_labels(const PatchedSource& source, std::vector<Patch>& patches) {
  constexpr std::size_t kMostLabels = 6;
  const TokenRoles& roles = source.roles;
  std::map<std::size_t, std::vector<std::string_view>> labels;  // of each body
  for (std::size_t at = 1; at + 1 < source.tokens.size(); ++at) {
    const bool begins =
        roles.is(at - 1, ";") || roles.is(at - 1, "{") || roles.is(at - 1, "}") || roles.is(at - 1, ":");
    const bool is_label = begins && roles.is_value_name(at) && roles.is(at + 1, ":") && roles.in_body(at);
    if (is_label) labels[roles.body_of(at)].push_back(source.tokens[at].text);
  }
  for (std::size_t at = 1; at < source.tokens.size(); ++at) {
    if (!roles.is(at - 1, "goto") || !roles.in_body(at)) continue;
    const std::vector<std::string_view>& known = labels[roles.body_of(at)];
    if (known.size() > kMostLabels) continue;
    for (const std::string_view label : known) {
      if (label != source.tokens[at].text) add_replacement(source, PatchKind::name, source.tokens[at], label, patches);
    }
  }
}

}  // namespace cudalabs::patch
