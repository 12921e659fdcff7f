// What the library does for the program outside its calls.
#pragma once

#include "vgpu/cudart/client/client.h"

namespace cudalabs::vgpu::client {

/// Requests are those of the library, for the program at `origin`, while a call may be in hand.
class OwnCall {
 public:
  OwnCall(Client& client, std::uint64_t origin, std::uint64_t outer)
      : client_(client),
        call_(client.call),
        driver_call_(client.driver_call),
        origin_(client.origin),
        outer_(client.outer_origin) {
    client.call = client.driver_call = 0;
    client.origin = origin;
    client.outer_origin = outer;
  }
  ~OwnCall() {
    client_.call = call_;
    client_.driver_call = driver_call_;
    client_.origin = origin_;
    client_.outer_origin = outer_;
  }
  OwnCall(const OwnCall&) = delete;
  OwnCall& operator=(const OwnCall&) = delete;

 private:
  Client& client_;
  std::uint16_t call_, driver_call_;
  std::uint64_t origin_, outer_;
};

}  // namespace cudalabs::vgpu::client
