// What the calls of a statement do in the order of a program's work.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "patch/patch.h"
#include "patch/patched_source.h"
#include "patch/statements.h"
#include "patch/uses.h"

namespace cudalabs::patch {

/// Bits of a set.
enum CallRole : std::uint32_t {
  kLaunches = 1,
  kCopies = 2,          // cudaMemcpyAsync, cudaMemset
  kCopiesWaiting = 4,   // cudaMemcpy
  kRecords = 8,         // an event
  kWaitsInStream = 16,  // for an event
  kWaits = 32,          // the host
  kAsks = 64,           // for errors
  kTells = 128,         // how long it took between two events
  kReleases = 256,
  kReadsClock = 512,
};

/// Which calls do what in one program: those of its own functions do what is called in their bodies.
class CallRoles {
 public:
  /// The source must outlive it.
  explicit CallRoles(const PatchedSource& source);

  /// Bits; 0: nothing of these, or something is made first that others need.
  std::uint32_t of(const Statement& statement) const;
  /// The names of the calls that do it.
  std::set<std::string_view> names_in(const Statement& statement) const;
  /// Whether work goes wrong by `first` standing before `second`, so that the other order may be right.
  static bool may_be_exchanged(std::uint32_t first, std::uint32_t second);

 private:
  std::uint32_t of_name(std::string_view name, const Statement& statement) const;
  std::uint32_t of_body(const Function& function) const;

  const PatchedSource& source_;
  std::map<std::string_view, std::uint32_t> own_functions_;
  std::set<std::string_view> classes_;
};

}  // namespace cudalabs::patch
