// libcuda.so.1 has nothing of its own: see CMakeLists.txt of this room.
