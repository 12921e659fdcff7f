#include "vgpu/cudart/client/driver_call.h"

namespace cudalabs::vgpu::client {
namespace {

thread_local constinit const DriverCall* current_driver_call = nullptr;

}  // namespace

DriverCall::DriverCall(std::uint16_t number, CallSite site)
    : number_(number), site_(site), outer_(current_driver_call), last_error_(peek_last_error()) {
  current_driver_call = this;
}

DriverCall::~DriverCall() {
  current_driver_call = outer_;
  take_last_error();
  remember(last_error_);
}

const DriverCall* DriverCall::current() {
  return current_driver_call;
}

}  // namespace cudalabs::vgpu::client
