// SHA-256: of one text, as `sha256sum` prints it, and of everything that goes into a build, which is named by it in the
// cache.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace cudalabs::builder {

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

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
