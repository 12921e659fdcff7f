// The runtime API: objects of the program that graphs keep alive.
#include <limits.h>

#include "vgpu/cudart/client/graph_of_call.h"
#include "vgpu/cudart/client/user_objects.h"

namespace cudalabs::vgpu::client {
namespace {

bool is_count(unsigned int count) {
  return count != 0 && count <= INT_MAX;
}

/// `body(object)`; cudaErrorInvalidValue where the handle is none, or the number of references no such number.
template <class Body>
cudaError_t with_object(cudaUserObject_t handle, unsigned int count, Body&& body) {
  UserObject* const object = user_object_of(handle);
  return object == nullptr || !is_count(count) ? cudaErrorInvalidValue : body(*object);
}

}  // namespace

// Its destructor is called as a host function is: some time after the last reference has gone.
CUDALABS_API cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* data, cudaHostFn_t destroy,
                                              unsigned int references, unsigned int flags) {
  return answer_here(wire::call("cudaUserObjectCreate"), call_site(), [&](Client&) {
    if (object == nullptr || destroy == nullptr || !is_count(references) || flags != cudaUserObjectNoDestructorSync)
      return cudaErrorInvalidValue;
    UserObject* const made = make_user_object(data, destroy, references);
    if (made == nullptr) return cudaErrorMemoryAllocation;
    *object = reinterpret_cast<cudaUserObject_t>(made);
    return cudaSuccess;
  });
}

CUDALABS_API cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned int count) {
  return answer_here(wire::call("cudaUserObjectRetain"), call_site(), [&](Client&) {
    return with_object(handle, count, [&](UserObject& object) {
      // References of graphs alone give the program no right to more.
      if (object.of_program == 0) return cudaErrorInvalidValue;
      object.of_program += count;
      return cudaSuccess;
    });
  });
}

CUDALABS_API cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned int count) {
  return answer_here(wire::call("cudaUserObjectRelease"), call_site(), [&](Client&) {
    return with_object(handle, count, [&](UserObject& object) { return release_of_program(object, count); });
  });
}

CUDALABS_API cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph_handle, cudaUserObject_t handle,
                                                   unsigned int count, unsigned int flags) {
  return with_graph(wire::call("cudaGraphRetainUserObject"), call_site(), graph_handle, [&](Client&, Graph& graph) {
    if ((flags & ~static_cast<unsigned int>(cudaGraphUserObjectMove)) != 0) return cudaErrorInvalidValue;
    return with_object(handle, count, [&](UserObject& object) {
      return retain(graph, object, count, flags == cudaGraphUserObjectMove);
    });
  });
}

CUDALABS_API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph_handle, cudaUserObject_t handle,
                                                    unsigned int count) {
  return with_graph(wire::call("cudaGraphReleaseUserObject"), call_site(), graph_handle, [&](Client&, Graph& graph) {
    return with_object(handle, count, [&](UserObject& object) { return release(graph, object, count); });
  });
}

}  // namespace cudalabs::vgpu::client
