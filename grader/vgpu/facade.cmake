# The virtual GPU as one library: what the runtime's server and the tools link.
find_package(fmt REQUIRED)
cudalabs_library(cudalabs_vgpu
  "${CMAKE_CURRENT_LIST_DIR}/launch_limits.cpp" "${CMAKE_CURRENT_LIST_DIR}/virtual_gpu.cpp"
  LIBRARIES cudalabs_vgpu_ptx cudalabs_vgpu_memory cudalabs_vgpu_model cudalabs_vgpu_exec cudalabs_vgpu_profile
  cudalabs_vgpu_check fmt::fmt)
