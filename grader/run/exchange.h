// A case's data as the two memory files that the runner gets: sealed inputs, poisoned outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "datasets/dataset.h"
#include "datasets/timed_work.h"
#include "sandbox/fd.h"

namespace cudalabs::runner {

/// Value of every byte of an output nobody wrote: as f32 and f64 it is a NaN.
constexpr int kPoison = 0xff;

/// Parameters, inputs and the outputs' shapes: no byte of the file can be changed any more, so that several runs may
/// have the same. No expected value is in it.
class CaseInputs {
 public:
  /// Writes the values of an input, by its index, to where they belong.
  using Fill = std::function<void(std::size_t input, std::span<std::byte> values)>;

  /// Throws std::runtime_error when a name is too long or there are more arrays than the harness takes, and
  /// std::system_error.
  explicit CaseInputs(const datasets::Case& test);
  /// For large inputs, which are held once only: of `shapes` the inputs have no values.
  CaseInputs(const datasets::Case& shapes, const Fill& fill);

  const sandbox::Fd& file() const { return file_; }

 private:
  sandbox::Fd file_;
};

class Exchange {
 public:
  /// Whether anybody will look at the outputs. Where nobody does they hold nothing, and no memory.
  enum class Outputs : std::uint8_t { wanted, unwanted };

  /// Throws what CaseInputs does.
  explicit Exchange(const datasets::Case& test);
  /// With inputs that were made from `test` before.
  Exchange(const datasets::Case& test, std::shared_ptr<const CaseInputs> inputs, Outputs use = Outputs::wanted);

  const sandbox::Fd& inputs() const { return inputs_->file(); }
  /// Writable by the runner, of fixed size.
  const sandbox::Fd& outputs() const { return outputs_; }
  bool wants_outputs() const { return use_ == Outputs::wanted; }
  /// What the outputs hold now, copied; none where they are unwanted.
  std::vector<datasets::Array> copy_outputs() const;

 private:
  struct Place {
    std::size_t offset = 0, bytes = 0;
  };

  std::vector<datasets::Array> shapes_;  // of the outputs, without data
  std::vector<Place> places_;
  std::shared_ptr<const CaseInputs> inputs_;
  sandbox::Fd outputs_;
  Outputs use_ = Outputs::wanted;
};

/// The beginning of a file of pools: everything but the values. `places` become the pools' own beginnings, multiples of
/// `alignment` bytes.
std::vector<std::byte> head_of_pools(const datasets::TimedWork& work,
                                     const std::map<std::string, std::int64_t>& parameters, std::size_t alignment,
                                     std::vector<std::size_t>& places);

}  // namespace cudalabs::runner
