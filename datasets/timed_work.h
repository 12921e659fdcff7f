// What a lab's function is given when it is timed, and what it must make of it: large inputs that differ from call to
// call, and the right value of any element, computed for the few that are looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/dataset.h"

namespace cudalabs::datasets {

/// A call gets a window of `window` elements somewhere in a pool of `pool` elements.
struct PoolShape {
  std::string name;
  ElementType type = ElementType::f32;
  std::int64_t window = 0, pool = 0;
};

struct OutputShape {
  std::string name;
  ElementType type = ElementType::f32;
  std::int64_t elements = 0;
};

/// One function at one size. Once attached, not for use by several threads.
class TimedWork {
 public:
  virtual ~TimedWork() = default;

  virtual std::vector<PoolShape> pools() const = 0;
  virtual std::vector<OutputShape> outputs() const = 0;

  /// Random values for part of a pool, or for a patch of it; the same for the same seed. Safe to call from several
  /// threads.
  virtual void fill(std::size_t pool, std::span<std::byte> bytes, std::uint64_t seed) const;

  /// The pools' bytes, which stay where they are; before the first expected().
  virtual void attach(std::vector<std::span<const std::byte>> pools) { attached_ = std::move(pools); }
  /// Bytes of a pool have changed.
  virtual void changed(std::size_t pool, std::size_t offset, std::size_t bytes);

  /// Elements `first` … of an output after a call on windows that begin at these elements: their values, and how far
  /// off an honest computation may be.
  virtual void expect(std::span<const std::int64_t> windows, std::size_t output, std::int64_t first,
                      std::span<double> value, std::span<double> bound) const = 0;

 protected:
  /// `count` elements of pool `pool` from element `first` on.
  template <typename T>
  std::span<const T> values(std::size_t pool, std::int64_t first, std::size_t count) const {
    return {reinterpret_cast<const T*>(attached_.at(pool).data()) + first, count};
  }
  template <typename T>
  std::span<const T> all(std::size_t pool) const {
    return values<T>(pool, 0, attached_.at(pool).size() / sizeof(T));
  }

 private:
  std::vector<std::span<const std::byte>> attached_;
};

/// Makes the work at the size that the parameters say. Throws std::invalid_argument naming a parameter that is missing
/// or out of range.
using TimedWorkMaker = std::unique_ptr<TimedWork> (*)(const std::map<std::string, std::int64_t>& parameters);

/// The maker registered under a name that lab.toml and baseline.toml may use; null when there is none.
TimedWorkMaker timed_work_for(std::string_view name);

struct RegisterTimedWork {
  RegisterTimedWork(std::string_view name, TimedWorkMaker maker);
};

/// Elements of a pool for windows of `window`: room for many places, and more than a large cache holds.
std::int64_t pool_for(std::int64_t window, ElementType type);

}  // namespace cudalabs::datasets
