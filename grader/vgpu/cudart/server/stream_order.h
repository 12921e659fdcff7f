// Which work a program may rely on having finished: streams, events and the promises between them.
//
// The queue is one, so more is finished than was promised. An asynchronous copy's data is handed over only when a wait
// promises it; a program that reads too early reads old data here on every run, as it might on a real GPU.
#pragma once

#include <cstdint>
#include <map>

namespace cudalabs::vgpu {

using StreamId = std::uint64_t;

/// For each stream, how many of its operations come before some point.
using Progress = std::map<StreamId, std::uint64_t>;
void merge(Progress& into, const Progress& from);
/// Everything that is in `part` is in `whole`.
bool includes(const Progress& whole, const Progress& part);

class StreamOrder {
 public:
  static constexpr StreamId kDefault = 0;

  /// `blocking` streams and the default stream wait for each other (cudaStreamNonBlocking: they do not).
  void add(StreamId stream, bool blocking);
  /// Its work stays part of `reach_all` if that is `wanted`: if not, nothing remembers it, so that a program may make
  /// and destroy streams for ever.
  void remove(StreamId stream, bool wanted = true);
  bool known(StreamId stream) const { return streams_.contains(stream); }

  /// An operation is issued to `stream`; returns its number there, from 1.
  std::uint64_t issue(StreamId stream);
  /// The operation that is issued to `stream` next, and everything that it will come after.
  Progress next(StreamId stream) const;
  /// Everything that is before the end of `stream` as it is now.
  Progress reach(StreamId stream) const;
  /// Everything issued so far.
  Progress reach_all() const;
  /// What is issued to `stream` from now on comes after `progress`.
  void wait(StreamId stream, const Progress& progress);
  /// What comes after an operation of `stream` comes after `progress`, too.
  void learn(StreamId stream, std::uint64_t number, const Progress& progress);

 private:
  struct State {
    bool blocking = true;
    std::uint64_t issued = 0;
    Progress after;  // of other streams, that its operations wait for
  };
  std::map<StreamId, State> streams_;
  Progress removed_;
};

}  // namespace cudalabs::vgpu
