// The runtime API: streams and events.
#include "vgpu/cudart/client/captured_calls.h"
#include "vgpu/cudart/client/graph_exec.h"
#include "vgpu/cudart/client/host_functions.h"

namespace cudalabs::vgpu::client {
namespace {

cudaError_t create_stream(Client& self, cudaStream_t* stream, unsigned int flags, int priority) {
  if (!stream || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  wire::Handle handle;
  const cudaError_t status = self.ask(wire::Op::stream_create, wire::StreamCreate{flags, priority}, &handle);
  if (status == cudaSuccess) *stream = reinterpret_cast<cudaStream_t>(handle.id);
  return status;
}

cudaError_t create_event(Client& self, cudaEvent_t* event, unsigned int flags) {
  if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming)) return cudaErrorInvalidValue;
  wire::Handle handle;
  const cudaError_t status = self.ask(wire::Op::event_create, wire::EventCreate{flags, 0}, &handle);
  if (status == cudaSuccess) *event = reinterpret_cast<cudaEvent_t>(handle.id);
  return status;
}

cudaError_t stream_info(Client& self, cudaStream_t stream, wire::StreamCreate* info) {
  return self.ask(wire::Op::stream_info, wire::Handle{stream_id(stream)}, info);
}

bool is_of_stream(cudaStreamAttrID attribute) {
  return attribute == cudaLaunchAttributeAccessPolicyWindow || attribute == cudaLaunchAttributeSynchronizationPolicy ||
         attribute == cudaLaunchAttributePriority || attribute == cudaLaunchAttributeMemSyncDomain ||
         attribute == cudaLaunchAttributeMemSyncDomainMap;
}

/// Asks whether something has come to its end. That it has not is no error, says the programming guide: nothing is kept
/// for cudaGetLastError.
template <typename Ask>
cudaError_t question(std::uint16_t call, CallSite site, Ask ask) {
  if (host_functions_pending()) return cudaErrorNotReady;
  bool under_way = false;
  const cudaError_t status = answer(call, site, [&](Client& self) {
    const cudaError_t said = ask(self);
    under_way = said == cudaErrorNotReady;
    return under_way ? cudaSuccess : said;
  });
  return under_way ? cudaErrorNotReady : status;
}

/// `capture(client)` of a call that is otherwise not answered under the client's lock.
template <typename Capture>
Captured captured_call(std::uint16_t call, CallSite site, Capture capture) {
  {
    const Lock lock;
    if (!is_capturing()) return {};
  }
  Captured captured;
  const cudaError_t status = answer(call, site, [&](Client& self) {
    captured = capture(self);
    return captured.status;
  });
  return {status, captured.done || status != cudaSuccess};
}

}  // namespace

CUDALABS_API cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return answer(wire::call("cudaStreamCreate"), call_site(),
                [&](Client& self) { return create_stream(self, stream, cudaStreamDefault, 0); });
}

CUDALABS_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return answer(wire::call("cudaStreamCreateWithFlags"), call_site(),
                [&](Client& self) { return create_stream(self, stream, flags, 0); });
}

CUDALABS_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return answer(wire::call("cudaStreamCreateWithPriority"), call_site(),
                [&](Client& self) { return create_stream(self, stream, flags, priority); });
}

CUDALABS_API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return answer(wire::call("cudaStreamDestroy"), call_site(), [&](Client& self) {
    // A default stream, a thread's own too, is none that could be destroyed.
    if (address_of(stream) >= wire::kReservedStreams) {
      leave_capture(stream);
      before_stream_goes(self, stream);
    }
    return self.ask(wire::Op::stream_destroy, wire::Handle{address_of(stream)});
  });
}

CUDALABS_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return answer(wire::call("cudaStreamSynchronize"), call_site(), [&](Client& self) {
    const cudaError_t status = may_wait_for(stream);
    return status == cudaSuccess ? self.ask(wire::Op::stream_synchronize, wire::Handle{stream_id(stream)}) : status;
  });
}

CUDALABS_API cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return question(wire::call("cudaStreamQuery"), call_site(), [&](Client& self) {
    const cudaError_t status = may_wait_for(stream);
    return status == cudaSuccess ? self.ask(wire::Op::stream_query, wire::Handle{stream_id(stream)}) : status;
  });
}

CUDALABS_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return answer(wire::call("cudaStreamWaitEvent"), call_site(), [&](Client& self) {
    if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
    const Captured captured = capture_wait(self, stream, event, flags == cudaEventWaitExternal);
    if (captured.done) return captured.status;
    if (flags == cudaEventWaitExternal) return cudaErrorIllegalState;
    return self.ask(wire::Op::stream_wait, wire::StreamEvent{stream_id(stream), event_id(event)});
  });
}

CUDALABS_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return answer(wire::call("cudaStreamGetFlags"), call_site(), [&](Client& self) {
    wire::StreamCreate info;
    if (!flags) return cudaErrorInvalidValue;
    if (const Captured captured = refuse_capture(stream); captured.done) return captured.status;
    const cudaError_t status = stream_info(self, stream, &info);
    if (status == cudaSuccess) *flags = info.flags;
    return status;
  });
}

CUDALABS_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return answer(wire::call("cudaStreamGetPriority"), call_site(), [&](Client& self) {
    wire::StreamCreate info;
    if (!priority) return cudaErrorInvalidValue;
    const cudaError_t status = stream_info(self, stream, &info);
    if (status == cudaSuccess) *priority = info.priority;
    return status;
  });
}

CUDALABS_API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return answer(wire::call("cudaStreamGetId"), call_site(), [&](Client& self) {
    wire::StreamCreate info;
    if (!id) return cudaErrorInvalidValue;
    const cudaError_t status = stream_info(self, stream, &info);
    if (status == cudaSuccess) *id = stream_id(stream);
    return status;
  });
}

CUDALABS_API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return answer(wire::call("cudaStreamGetDevice"), call_site(), [&](Client& self) {
    wire::StreamCreate info;
    if (!device) return cudaErrorInvalidValue;
    const cudaError_t status = stream_info(self, stream, &info);
    if (status == cudaSuccess) *device = 0;
    return status;
  });
}

// A stream's attributes are hints about caches and waiting; it has those it was made with.
CUDALABS_API cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                                const cudaStreamAttrValue* value) {
  return answer(wire::call("cudaStreamSetAttribute"), call_site(), [&](Client& self) {
    wire::StreamCreate info;
    if (!value || !is_of_stream(attribute)) return cudaErrorInvalidValue;
    return stream_info(self, stream, &info);
  });
}

CUDALABS_API cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                                cudaStreamAttrValue* value) {
  return answer(wire::call("cudaStreamGetAttribute"), call_site(), [&](Client& self) {
    wire::StreamCreate info;
    if (!value || !is_of_stream(attribute)) return cudaErrorInvalidValue;
    const cudaError_t status = stream_info(self, stream, &info);
    if (status != cudaSuccess) return status;
    *value = cudaStreamAttrValue{};
    if (attribute == cudaLaunchAttributePriority) value->priority = info.priority;
    if (attribute == cudaLaunchAttributeSynchronizationPolicy) value->syncPolicy = cudaSyncPolicyAuto;
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return answer(wire::call("cudaStreamCopyAttributes"), call_site(), [&](Client& self) {
    wire::StreamCreate info;
    const cudaError_t status = stream_info(self, from, &info);
    return status == cudaSuccess ? stream_info(self, to, &info) : status;
  });
}

CUDALABS_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* user_data,
                                               unsigned int flags) {
  if (!callback || flags != 0) return remember(cudaErrorInvalidValue);
  const Captured refused =
      captured_call(wire::call("cudaStreamAddCallback"), call_site(), [&](Client&) { return refuse_capture(stream); });
  if (refused.done) return refused.status;
  return enqueue(wire::call("cudaStreamAddCallback"), call_site(), stream, {nullptr, callback, user_data});
}

CUDALABS_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  if (!function) return remember(cudaErrorInvalidValue);
  const Captured captured = captured_call(wire::call("cudaLaunchHostFunc"), call_site(), [&](Client& self) {
    return capture_host_function(self, function, user_data, stream);
  });
  if (captured.done) return captured.status;
  return enqueue(wire::call("cudaLaunchHostFunc"), call_site(), stream, {function, nullptr, user_data});
}

CUDALABS_API cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return answer(wire::call("cudaEventCreate"), call_site(),
                [&](Client& self) { return create_event(self, event, cudaEventDefault); });
}

CUDALABS_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return answer(wire::call("cudaEventCreateWithFlags"), call_site(),
                [&](Client& self) { return create_event(self, event, flags); });
}

CUDALABS_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return answer(wire::call("cudaEventRecord"), call_site(), [&](Client& self) {
    if (const Captured captured = capture_record(self, stream, event, false); captured.done) return captured.status;
    return self.ask(wire::Op::event_record, wire::StreamEvent{stream_id(stream), event_id(event)});
  });
}

CUDALABS_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return answer(wire::call("cudaEventRecordWithFlags"), call_site(), [&](Client& self) {
    if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
    const Captured captured = capture_record(self, stream, event, flags == cudaEventRecordExternal);
    if (captured.done) return captured.status;
    if (flags == cudaEventRecordExternal) return cudaErrorIllegalState;
    return self.ask(wire::Op::event_record, wire::StreamEvent{stream_id(stream), event_id(event)});
  });
}

CUDALABS_API cudaError_t cudaEventQuery(cudaEvent_t event) {
  return question(wire::call("cudaEventQuery"), call_site(), [&](Client& self) {
    const cudaError_t status = may_wait_for_event(event);
    return status == cudaSuccess ? self.ask(wire::Op::event_query, wire::Handle{event_id(event)}) : status;
  });
}

CUDALABS_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return answer(wire::call("cudaEventSynchronize"), call_site(), [&](Client& self) {
    const cudaError_t status = may_wait_for_event(event);
    return status == cudaSuccess ? self.ask(wire::Op::event_synchronize, wire::Handle{event_id(event)}) : status;
  });
}

CUDALABS_API cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return answer(wire::call("cudaEventElapsedTime"), call_site(), [&](Client& self) {
    if (!milliseconds) return cudaErrorInvalidValue;
    wire::Elapsed elapsed;
    if (is_captured_event(start) || is_captured_event(end)) return cudaErrorCapturedEvent;
    const cudaError_t status =
        self.ask(wire::Op::event_elapsed, wire::EventPair{event_id(start), event_id(end)}, &elapsed);
    if (status == cudaSuccess) *milliseconds = elapsed.milliseconds;
    return status;
  });
}

CUDALABS_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return answer(wire::call("cudaEventDestroy"), call_site(), [&](Client& self) {
    forget_event(event);
    return self.ask(wire::Op::event_destroy, wire::Handle{event_id(event)});
  });
}

}  // namespace cudalabs::vgpu::client
