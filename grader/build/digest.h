// SHA-256 of everything that goes into a build: the same inputs, the same name in the cache.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace cudalabs::builder {

class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  /// Adds one named input. Name and length go in too, so that no two lists of inputs read alike.
  void add(std::string_view name, std::string_view bytes);
  /// 64 hexadecimal digits; nothing can be added afterwards.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::builder
