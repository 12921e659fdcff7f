// make_TYPE functions of the built-in vector types, for host and device code.
#pragma once

// NOLINTBEGIN: the names and forms are those of CUDA

#include "vector_types.h"

#if defined(__cplusplus)
// clang-format off
static __host__ __device__ CUDALABS_INLINE constexpr char1 make_char1(signed char x) { return char1{x}; }
static __host__ __device__ CUDALABS_INLINE constexpr char2 make_char2(signed char x, signed char y) { return char2{x, y}; }
static __host__ __device__ CUDALABS_INLINE constexpr char3 make_char3(signed char x, signed char y, signed char z) { return char3{x, y, z}; }
static __host__ __device__ CUDALABS_INLINE constexpr char4 make_char4(signed char x, signed char y, signed char z, signed char w) { return char4{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr uchar1 make_uchar1(unsigned char x) { return uchar1{x}; }
static __host__ __device__ CUDALABS_INLINE constexpr uchar2 make_uchar2(unsigned char x, unsigned char y) { return uchar2{x, y}; }
static __host__ __device__ CUDALABS_INLINE constexpr uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) { return uchar3{x, y, z}; }
static __host__ __device__ CUDALABS_INLINE constexpr uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) { return uchar4{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr short1 make_short1(short x) { return short1{x}; }
static __host__ __device__ CUDALABS_INLINE constexpr short2 make_short2(short x, short y) { return short2{x, y}; }
static __host__ __device__ CUDALABS_INLINE constexpr short3 make_short3(short x, short y, short z) { return short3{x, y, z}; }
static __host__ __device__ CUDALABS_INLINE constexpr short4 make_short4(short x, short y, short z, short w) { return short4{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr ushort1 make_ushort1(unsigned short x) { return ushort1{x}; }
static __host__ __device__ CUDALABS_INLINE constexpr ushort2 make_ushort2(unsigned short x, unsigned short y) { return ushort2{x, y}; }
static __host__ __device__ CUDALABS_INLINE constexpr ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) { return ushort3{x, y, z}; }
static __host__ __device__ CUDALABS_INLINE constexpr ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) { return ushort4{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr int1 make_int1(int x) { return int1{x}; }
static __host__ __device__ CUDALABS_INLINE constexpr int2 make_int2(int x, int y) { return int2{x, y}; }
static __host__ __device__ CUDALABS_INLINE constexpr int3 make_int3(int x, int y, int z) { return int3{x, y, z}; }
static __host__ __device__ CUDALABS_INLINE constexpr int4 make_int4(int x, int y, int z, int w) { return int4{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr uint1 make_uint1(unsigned int x) { return uint1{x}; }
static __host__ __device__ CUDALABS_INLINE constexpr uint2 make_uint2(unsigned int x, unsigned int y) { return uint2{x, y}; }
static __host__ __device__ CUDALABS_INLINE constexpr uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) { return uint3{x, y, z}; }
static __host__ __device__ CUDALABS_INLINE constexpr uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) { return uint4{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr long1 make_long1(long int x) { return long1{x}; }
static __host__ __device__ CUDALABS_INLINE constexpr long2 make_long2(long int x, long int y) { return long2{x, y}; }
static __host__ __device__ CUDALABS_INLINE constexpr long3 make_long3(long int x, long int y, long int z) { return long3{x, y, z}; }
static __host__ __device__ CUDALABS_INLINE constexpr long4 make_long4(long int x, long int y, long int z, long int w) { return long4{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr ulong1 make_ulong1(unsigned long int x) { return ulong1{x}; }
static __host__ __device__ CUDALABS_INLINE constexpr ulong2 make_ulong2(unsigned long int x, unsigned long int y) { return ulong2{x, y}; }
static __host__ __device__ CUDALABS_INLINE constexpr ulong3 make_ulong3(unsigned long int x, unsigned long int y, unsigned long int z) { return ulong3{x, y, z}; }
static __host__ __device__ CUDALABS_INLINE constexpr ulong4 make_ulong4(unsigned long int x, unsigned long int y, unsigned long int z, unsigned long int w) { return ulong4{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr longlong1 make_longlong1(long long int x) { return longlong1{x}; }
static __host__ __device__ CUDALABS_INLINE constexpr longlong2 make_longlong2(long long int x, long long int y) { return longlong2{x, y}; }
static __host__ __device__ CUDALABS_INLINE constexpr longlong3 make_longlong3(long long int x, long long int y, long long int z) { return longlong3{x, y, z}; }
static __host__ __device__ CUDALABS_INLINE constexpr longlong4 make_longlong4(long long int x, long long int y, long long int z, long long int w) { return longlong4{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr ulonglong1 make_ulonglong1(unsigned long long int x) { return ulonglong1{x}; }
static __host__ __device__ CUDALABS_INLINE constexpr ulonglong2 make_ulonglong2(unsigned long long int x, unsigned long long int y) { return ulonglong2{x, y}; }
static __host__ __device__ CUDALABS_INLINE constexpr ulonglong3 make_ulonglong3(unsigned long long int x, unsigned long long int y, unsigned long long int z) { return ulonglong3{x, y, z}; }
static __host__ __device__ CUDALABS_INLINE constexpr ulonglong4 make_ulonglong4(unsigned long long int x, unsigned long long int y, unsigned long long int z, unsigned long long int w) { return ulonglong4{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr float1 make_float1(float x) { return float1{x}; }
static __host__ __device__ CUDALABS_INLINE constexpr float2 make_float2(float x, float y) { return float2{x, y}; }
static __host__ __device__ CUDALABS_INLINE constexpr float3 make_float3(float x, float y, float z) { return float3{x, y, z}; }
static __host__ __device__ CUDALABS_INLINE constexpr float4 make_float4(float x, float y, float z, float w) { return float4{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr double1 make_double1(double x) { return double1{x}; }
static __host__ __device__ CUDALABS_INLINE constexpr double2 make_double2(double x, double y) { return double2{x, y}; }
static __host__ __device__ CUDALABS_INLINE constexpr double3 make_double3(double x, double y, double z) { return double3{x, y, z}; }
static __host__ __device__ CUDALABS_INLINE constexpr double4 make_double4(double x, double y, double z, double w) { return double4{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr long4_16a make_long4_16a(long int x, long int y, long int z, long int w) { return long4_16a{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr long4_32a make_long4_32a(long int x, long int y, long int z, long int w) { return long4_32a{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr ulong4_16a make_ulong4_16a(unsigned long int x, unsigned long int y, unsigned long int z, unsigned long int w) { return ulong4_16a{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr ulong4_32a make_ulong4_32a(unsigned long int x, unsigned long int y, unsigned long int z, unsigned long int w) { return ulong4_32a{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr longlong4_16a make_longlong4_16a(long long int x, long long int y, long long int z, long long int w) { return longlong4_16a{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr longlong4_32a make_longlong4_32a(long long int x, long long int y, long long int z, long long int w) { return longlong4_32a{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr ulonglong4_16a make_ulonglong4_16a(unsigned long long int x, unsigned long long int y, unsigned long long int z, unsigned long long int w) { return ulonglong4_16a{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr ulonglong4_32a make_ulonglong4_32a(unsigned long long int x, unsigned long long int y, unsigned long long int z, unsigned long long int w) { return ulonglong4_32a{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr double4_16a make_double4_16a(double x, double y, double z, double w) { return double4_16a{x, y, z, w}; }
static __host__ __device__ CUDALABS_INLINE constexpr double4_32a make_double4_32a(double x, double y, double z, double w) { return double4_32a{x, y, z, w}; }
// clang-format on
#endif

// NOLINTEND
