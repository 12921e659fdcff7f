// The libdevice functions that are one or a few PTX instructions, defined inline as that; the virtual GPU offers all
// others as calls.
//
// With NVIDIA's bitcode library these would be inlined by the optimiser. Doing the same keeps instruction counts, and
// so the modelled time, close to a real compiler's, and spares the interpreter a call. Must follow clang's declarations
// of the names.
#pragma once

// clang-format off
extern "C" {
#define CUDALABS_LIBDEVICE __device__ CUDALABS_INLINE
// Reinterpretation
CUDALABS_LIBDEVICE int __nv_float_as_int(float a) { return __builtin_bit_cast(int, a); }
CUDALABS_LIBDEVICE unsigned int __nv_float_as_uint(float a) { return __builtin_bit_cast(unsigned int, a); }
CUDALABS_LIBDEVICE float __nv_int_as_float(int a) { return __builtin_bit_cast(float, a); }
CUDALABS_LIBDEVICE float __nv_uint_as_float(unsigned int a) { return __builtin_bit_cast(float, a); }
CUDALABS_LIBDEVICE unsigned long long __nv_double_as_longlong(double a) { return __builtin_bit_cast(unsigned long long, a); }
CUDALABS_LIBDEVICE double __nv_longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
CUDALABS_LIBDEVICE int __nv_double2hiint(double a) { return (int)(__builtin_bit_cast(long long, a) >> 32); }
CUDALABS_LIBDEVICE int __nv_double2loint(double a) { return (int)__builtin_bit_cast(long long, a); }
// Integers
CUDALABS_LIBDEVICE int __nv_min(int a, int b) { return a < b ? a : b; }
CUDALABS_LIBDEVICE int __nv_max(int a, int b) { return a > b ? a : b; }
CUDALABS_LIBDEVICE unsigned int __nv_umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
CUDALABS_LIBDEVICE unsigned int __nv_umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
CUDALABS_LIBDEVICE long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
CUDALABS_LIBDEVICE long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
CUDALABS_LIBDEVICE unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
CUDALABS_LIBDEVICE unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
CUDALABS_LIBDEVICE int __nv_abs(int a) { return a < 0 ? -a : a; }
CUDALABS_LIBDEVICE long long __nv_llabs(long long a) { return a < 0 ? -a : a; }
CUDALABS_LIBDEVICE int __nv_popc(int a) { return __builtin_popcount((unsigned int)a); }
CUDALABS_LIBDEVICE int __nv_popcll(long long a) { return __builtin_popcountll((unsigned long long)a); }
// __builtin_clz(0) is undefined, clz.b32 of 0 is 32.
CUDALABS_LIBDEVICE int __nv_clz(int a) { int n; asm("clz.b32 %0, %1;" : "=r"(n) : "r"(a)); return n; }
CUDALABS_LIBDEVICE int __nv_clzll(long long a) { int n; asm("clz.b64 %0, %1;" : "=r"(n) : "l"(a)); return n; }
CUDALABS_LIBDEVICE int __nv_ffs(int a) { return 32 - __nv_clz(a & (int)-(unsigned int)a); }
CUDALABS_LIBDEVICE int __nv_ffsll(long long a) { return 64 - __nv_clzll(a & (long long)-(unsigned long long)a); }
CUDALABS_LIBDEVICE unsigned int __nv_brev(unsigned int a) { return __builtin_bitreverse32(a); }
CUDALABS_LIBDEVICE unsigned long long __nv_brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
CUDALABS_LIBDEVICE int __nv_mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
CUDALABS_LIBDEVICE unsigned int __nv_umulhi(unsigned int a, unsigned int b) { return __nvvm_mulhi_ui(a, b); }
CUDALABS_LIBDEVICE long long __nv_mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
CUDALABS_LIBDEVICE unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
CUDALABS_LIBDEVICE int __nv_mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
CUDALABS_LIBDEVICE unsigned int __nv_umul24(unsigned int a, unsigned int b) { return __nvvm_mul24_ui(a, b); }
// Floating point
CUDALABS_LIBDEVICE float __nv_fabsf(float a) { return __builtin_fabsf(a); }
CUDALABS_LIBDEVICE float __nv_floorf(float a) { return __builtin_floorf(a); }
CUDALABS_LIBDEVICE float __nv_ceilf(float a) { return __builtin_ceilf(a); }
CUDALABS_LIBDEVICE float __nv_truncf(float a) { return __builtin_truncf(a); }
CUDALABS_LIBDEVICE float __nv_rintf(float a) { return __builtin_rintf(a); }
CUDALABS_LIBDEVICE float __nv_nearbyintf(float a) { return __builtin_rintf(a); }
CUDALABS_LIBDEVICE float __nv_fminf(float a, float b) { return __builtin_fminf(a, b); }
CUDALABS_LIBDEVICE float __nv_fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
CUDALABS_LIBDEVICE float __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CUDALABS_LIBDEVICE float __nv_sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
CUDALABS_LIBDEVICE float __nv_copysignf(float a, float b) { return __builtin_copysignf(a, b); }
CUDALABS_LIBDEVICE double __nv_fabs(double a) { return __builtin_fabs(a); }
CUDALABS_LIBDEVICE double __nv_floor(double a) { return __builtin_floor(a); }
CUDALABS_LIBDEVICE double __nv_ceil(double a) { return __builtin_ceil(a); }
CUDALABS_LIBDEVICE double __nv_trunc(double a) { return __builtin_trunc(a); }
CUDALABS_LIBDEVICE double __nv_rint(double a) { return __builtin_rint(a); }
CUDALABS_LIBDEVICE double __nv_nearbyint(double a) { return __builtin_rint(a); }
CUDALABS_LIBDEVICE double __nv_fmin(double a, double b) { return __builtin_fmin(a, b); }
CUDALABS_LIBDEVICE double __nv_fmax(double a, double b) { return __builtin_fmax(a, b); }
CUDALABS_LIBDEVICE double __nv_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
CUDALABS_LIBDEVICE double __nv_sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
CUDALABS_LIBDEVICE double __nv_copysign(double a, double b) { return __builtin_copysign(a, b); }
CUDALABS_LIBDEVICE float __nv_rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
CUDALABS_LIBDEVICE double __nv_rsqrt(double a) { return __nvvm_rsqrt_approx_d(a); }
CUDALABS_LIBDEVICE float __nv_saturatef(float a) { return __nvvm_saturate_f(a); }
CUDALABS_LIBDEVICE int __nv_isnanf(float a) { return a != a; }
CUDALABS_LIBDEVICE int __nv_isnand(double a) { return a != a; }
CUDALABS_LIBDEVICE int __nv_isinff(float a) { return __builtin_fabsf(a) == __builtin_inff(); }
CUDALABS_LIBDEVICE int __nv_isinfd(double a) { return __builtin_fabs(a) == __builtin_inf(); }
CUDALABS_LIBDEVICE int __nv_finitef(float a) { return __builtin_fabsf(a) < __builtin_inff(); }
CUDALABS_LIBDEVICE int __nv_isfinited(double a) { return __builtin_fabs(a) < __builtin_inf(); }
CUDALABS_LIBDEVICE int __nv_signbitf(float a) { return __nv_float_as_int(a) < 0; }
CUDALABS_LIBDEVICE int __nv_signbitd(double a) { return __nv_double_as_longlong(a) < 0; }
// Arithmetic with a rounding mode
CUDALABS_LIBDEVICE float __nv_fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fsub_rn(float a, float b) { return __nvvm_add_rn_f(a, -b); }
CUDALABS_LIBDEVICE float __nv_frcp_rn(float a) { return __nvvm_rcp_rn_f(a); }
CUDALABS_LIBDEVICE float __nv_fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }
CUDALABS_LIBDEVICE double __nv_dadd_rn(double a, double b) { return __nvvm_add_rn_d(a, b); }
CUDALABS_LIBDEVICE double __nv_dmul_rn(double a, double b) { return __nvvm_mul_rn_d(a, b); }
CUDALABS_LIBDEVICE double __nv_ddiv_rn(double a, double b) { return __nvvm_div_rn_d(a, b); }
CUDALABS_LIBDEVICE double __nv_dsub_rn(double a, double b) { return __nvvm_add_rn_d(a, -b); }
CUDALABS_LIBDEVICE double __nv_drcp_rn(double a) { return __nvvm_rcp_rn_d(a); }
CUDALABS_LIBDEVICE double __nv_dsqrt_rn(double a) { return __nvvm_sqrt_rn_d(a); }
CUDALABS_LIBDEVICE float __nv_fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
CUDALABS_LIBDEVICE double __nv_fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
CUDALABS_LIBDEVICE float __nv_fadd_rz(float a, float b) { return __nvvm_add_rz_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fmul_rz(float a, float b) { return __nvvm_mul_rz_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fdiv_rz(float a, float b) { return __nvvm_div_rz_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fsub_rz(float a, float b) { return __nvvm_add_rz_f(a, -b); }
CUDALABS_LIBDEVICE float __nv_frcp_rz(float a) { return __nvvm_rcp_rz_f(a); }
CUDALABS_LIBDEVICE float __nv_fsqrt_rz(float a) { return __nvvm_sqrt_rz_f(a); }
CUDALABS_LIBDEVICE double __nv_dadd_rz(double a, double b) { return __nvvm_add_rz_d(a, b); }
CUDALABS_LIBDEVICE double __nv_dmul_rz(double a, double b) { return __nvvm_mul_rz_d(a, b); }
CUDALABS_LIBDEVICE double __nv_ddiv_rz(double a, double b) { return __nvvm_div_rz_d(a, b); }
CUDALABS_LIBDEVICE double __nv_dsub_rz(double a, double b) { return __nvvm_add_rz_d(a, -b); }
CUDALABS_LIBDEVICE double __nv_drcp_rz(double a) { return __nvvm_rcp_rz_d(a); }
CUDALABS_LIBDEVICE double __nv_dsqrt_rz(double a) { return __nvvm_sqrt_rz_d(a); }
CUDALABS_LIBDEVICE float __nv_fmaf_rz(float a, float b, float c) { return __nvvm_fma_rz_f(a, b, c); }
CUDALABS_LIBDEVICE double __nv_fma_rz(double a, double b, double c) { return __nvvm_fma_rz_d(a, b, c); }
CUDALABS_LIBDEVICE float __nv_fadd_ru(float a, float b) { return __nvvm_add_rp_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fmul_ru(float a, float b) { return __nvvm_mul_rp_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fdiv_ru(float a, float b) { return __nvvm_div_rp_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fsub_ru(float a, float b) { return __nvvm_add_rp_f(a, -b); }
CUDALABS_LIBDEVICE float __nv_frcp_ru(float a) { return __nvvm_rcp_rp_f(a); }
CUDALABS_LIBDEVICE float __nv_fsqrt_ru(float a) { return __nvvm_sqrt_rp_f(a); }
CUDALABS_LIBDEVICE double __nv_dadd_ru(double a, double b) { return __nvvm_add_rp_d(a, b); }
CUDALABS_LIBDEVICE double __nv_dmul_ru(double a, double b) { return __nvvm_mul_rp_d(a, b); }
CUDALABS_LIBDEVICE double __nv_ddiv_ru(double a, double b) { return __nvvm_div_rp_d(a, b); }
CUDALABS_LIBDEVICE double __nv_dsub_ru(double a, double b) { return __nvvm_add_rp_d(a, -b); }
CUDALABS_LIBDEVICE double __nv_drcp_ru(double a) { return __nvvm_rcp_rp_d(a); }
CUDALABS_LIBDEVICE double __nv_dsqrt_ru(double a) { return __nvvm_sqrt_rp_d(a); }
CUDALABS_LIBDEVICE float __nv_fmaf_ru(float a, float b, float c) { return __nvvm_fma_rp_f(a, b, c); }
CUDALABS_LIBDEVICE double __nv_fma_ru(double a, double b, double c) { return __nvvm_fma_rp_d(a, b, c); }
CUDALABS_LIBDEVICE float __nv_fadd_rd(float a, float b) { return __nvvm_add_rm_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fmul_rd(float a, float b) { return __nvvm_mul_rm_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fdiv_rd(float a, float b) { return __nvvm_div_rm_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fsub_rd(float a, float b) { return __nvvm_add_rm_f(a, -b); }
CUDALABS_LIBDEVICE float __nv_frcp_rd(float a) { return __nvvm_rcp_rm_f(a); }
CUDALABS_LIBDEVICE float __nv_fsqrt_rd(float a) { return __nvvm_sqrt_rm_f(a); }
CUDALABS_LIBDEVICE double __nv_dadd_rd(double a, double b) { return __nvvm_add_rm_d(a, b); }
CUDALABS_LIBDEVICE double __nv_dmul_rd(double a, double b) { return __nvvm_mul_rm_d(a, b); }
CUDALABS_LIBDEVICE double __nv_ddiv_rd(double a, double b) { return __nvvm_div_rm_d(a, b); }
CUDALABS_LIBDEVICE double __nv_dsub_rd(double a, double b) { return __nvvm_add_rm_d(a, -b); }
CUDALABS_LIBDEVICE double __nv_drcp_rd(double a) { return __nvvm_rcp_rm_d(a); }
CUDALABS_LIBDEVICE double __nv_dsqrt_rd(double a) { return __nvvm_sqrt_rm_d(a); }
CUDALABS_LIBDEVICE float __nv_fmaf_rd(float a, float b, float c) { return __nvvm_fma_rm_f(a, b, c); }
CUDALABS_LIBDEVICE double __nv_fma_rd(double a, double b, double c) { return __nvvm_fma_rm_d(a, b, c); }
// Conversions with a rounding mode
CUDALABS_LIBDEVICE int __nv_float2int_rn(float a) { return __nvvm_f2i_rn(a); }
CUDALABS_LIBDEVICE unsigned int __nv_float2uint_rn(float a) { return __nvvm_f2ui_rn(a); }
CUDALABS_LIBDEVICE long long __nv_float2ll_rn(float a) { return __nvvm_f2ll_rn(a); }
CUDALABS_LIBDEVICE unsigned long long __nv_float2ull_rn(float a) { return __nvvm_f2ull_rn(a); }
CUDALABS_LIBDEVICE float __nv_ll2float_rn(long long a) { return __nvvm_ll2f_rn(a); }
CUDALABS_LIBDEVICE float __nv_ull2float_rn(unsigned long long a) { return __nvvm_ull2f_rn(a); }
CUDALABS_LIBDEVICE int __nv_double2int_rn(double a) { return __nvvm_d2i_rn(a); }
CUDALABS_LIBDEVICE unsigned int __nv_double2uint_rn(double a) { return __nvvm_d2ui_rn(a); }
CUDALABS_LIBDEVICE long long __nv_double2ll_rn(double a) { return __nvvm_d2ll_rn(a); }
CUDALABS_LIBDEVICE unsigned long long __nv_double2ull_rn(double a) { return __nvvm_d2ull_rn(a); }
CUDALABS_LIBDEVICE double __nv_ll2double_rn(long long a) { return __nvvm_ll2d_rn(a); }
CUDALABS_LIBDEVICE double __nv_ull2double_rn(unsigned long long a) { return __nvvm_ull2d_rn(a); }
CUDALABS_LIBDEVICE float __nv_int2float_rn(int a) { return __nvvm_i2f_rn(a); }
CUDALABS_LIBDEVICE float __nv_uint2float_rn(unsigned int a) { return __nvvm_ui2f_rn(a); }
CUDALABS_LIBDEVICE float __nv_double2float_rn(double a) { return __nvvm_d2f_rn(a); }
CUDALABS_LIBDEVICE int __nv_float2int_rz(float a) { return __nvvm_f2i_rz(a); }
CUDALABS_LIBDEVICE unsigned int __nv_float2uint_rz(float a) { return __nvvm_f2ui_rz(a); }
CUDALABS_LIBDEVICE long long __nv_float2ll_rz(float a) { return __nvvm_f2ll_rz(a); }
CUDALABS_LIBDEVICE unsigned long long __nv_float2ull_rz(float a) { return __nvvm_f2ull_rz(a); }
CUDALABS_LIBDEVICE float __nv_ll2float_rz(long long a) { return __nvvm_ll2f_rz(a); }
CUDALABS_LIBDEVICE float __nv_ull2float_rz(unsigned long long a) { return __nvvm_ull2f_rz(a); }
CUDALABS_LIBDEVICE int __nv_double2int_rz(double a) { return __nvvm_d2i_rz(a); }
CUDALABS_LIBDEVICE unsigned int __nv_double2uint_rz(double a) { return __nvvm_d2ui_rz(a); }
CUDALABS_LIBDEVICE long long __nv_double2ll_rz(double a) { return __nvvm_d2ll_rz(a); }
CUDALABS_LIBDEVICE unsigned long long __nv_double2ull_rz(double a) { return __nvvm_d2ull_rz(a); }
CUDALABS_LIBDEVICE double __nv_ll2double_rz(long long a) { return __nvvm_ll2d_rz(a); }
CUDALABS_LIBDEVICE double __nv_ull2double_rz(unsigned long long a) { return __nvvm_ull2d_rz(a); }
CUDALABS_LIBDEVICE float __nv_int2float_rz(int a) { return __nvvm_i2f_rz(a); }
CUDALABS_LIBDEVICE float __nv_uint2float_rz(unsigned int a) { return __nvvm_ui2f_rz(a); }
CUDALABS_LIBDEVICE float __nv_double2float_rz(double a) { return __nvvm_d2f_rz(a); }
CUDALABS_LIBDEVICE int __nv_float2int_ru(float a) { return __nvvm_f2i_rp(a); }
CUDALABS_LIBDEVICE unsigned int __nv_float2uint_ru(float a) { return __nvvm_f2ui_rp(a); }
CUDALABS_LIBDEVICE long long __nv_float2ll_ru(float a) { return __nvvm_f2ll_rp(a); }
CUDALABS_LIBDEVICE unsigned long long __nv_float2ull_ru(float a) { return __nvvm_f2ull_rp(a); }
CUDALABS_LIBDEVICE float __nv_ll2float_ru(long long a) { return __nvvm_ll2f_rp(a); }
CUDALABS_LIBDEVICE float __nv_ull2float_ru(unsigned long long a) { return __nvvm_ull2f_rp(a); }
CUDALABS_LIBDEVICE int __nv_double2int_ru(double a) { return __nvvm_d2i_rp(a); }
CUDALABS_LIBDEVICE unsigned int __nv_double2uint_ru(double a) { return __nvvm_d2ui_rp(a); }
CUDALABS_LIBDEVICE long long __nv_double2ll_ru(double a) { return __nvvm_d2ll_rp(a); }
CUDALABS_LIBDEVICE unsigned long long __nv_double2ull_ru(double a) { return __nvvm_d2ull_rp(a); }
CUDALABS_LIBDEVICE double __nv_ll2double_ru(long long a) { return __nvvm_ll2d_rp(a); }
CUDALABS_LIBDEVICE double __nv_ull2double_ru(unsigned long long a) { return __nvvm_ull2d_rp(a); }
CUDALABS_LIBDEVICE float __nv_int2float_ru(int a) { return __nvvm_i2f_rp(a); }
CUDALABS_LIBDEVICE float __nv_uint2float_ru(unsigned int a) { return __nvvm_ui2f_rp(a); }
CUDALABS_LIBDEVICE float __nv_double2float_ru(double a) { return __nvvm_d2f_rp(a); }
CUDALABS_LIBDEVICE int __nv_float2int_rd(float a) { return __nvvm_f2i_rm(a); }
CUDALABS_LIBDEVICE unsigned int __nv_float2uint_rd(float a) { return __nvvm_f2ui_rm(a); }
CUDALABS_LIBDEVICE long long __nv_float2ll_rd(float a) { return __nvvm_f2ll_rm(a); }
CUDALABS_LIBDEVICE unsigned long long __nv_float2ull_rd(float a) { return __nvvm_f2ull_rm(a); }
CUDALABS_LIBDEVICE float __nv_ll2float_rd(long long a) { return __nvvm_ll2f_rm(a); }
CUDALABS_LIBDEVICE float __nv_ull2float_rd(unsigned long long a) { return __nvvm_ull2f_rm(a); }
CUDALABS_LIBDEVICE int __nv_double2int_rd(double a) { return __nvvm_d2i_rm(a); }
CUDALABS_LIBDEVICE unsigned int __nv_double2uint_rd(double a) { return __nvvm_d2ui_rm(a); }
CUDALABS_LIBDEVICE long long __nv_double2ll_rd(double a) { return __nvvm_d2ll_rm(a); }
CUDALABS_LIBDEVICE unsigned long long __nv_double2ull_rd(double a) { return __nvvm_d2ull_rm(a); }
CUDALABS_LIBDEVICE double __nv_ll2double_rd(long long a) { return __nvvm_ll2d_rm(a); }
CUDALABS_LIBDEVICE double __nv_ull2double_rd(unsigned long long a) { return __nvvm_ull2d_rm(a); }
CUDALABS_LIBDEVICE float __nv_int2float_rd(int a) { return __nvvm_i2f_rm(a); }
CUDALABS_LIBDEVICE float __nv_uint2float_rd(unsigned int a) { return __nvvm_ui2f_rm(a); }
CUDALABS_LIBDEVICE float __nv_double2float_rd(double a) { return __nvvm_d2f_rm(a); }
CUDALABS_LIBDEVICE double __nv_int2double_rn(int a) { return (double)a; }
CUDALABS_LIBDEVICE double __nv_uint2double_rn(unsigned int a) { return (double)a; }
// Fast approximations: programming guide, table of intrinsic functions
CUDALABS_LIBDEVICE float __nv_fast_sinf(float a) { return __nvvm_sin_approx_f(a); }
CUDALABS_LIBDEVICE float __nv_fast_cosf(float a) { return __nvvm_cos_approx_f(a); }
CUDALABS_LIBDEVICE float __nv_fast_fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
CUDALABS_LIBDEVICE float __nv_fast_tanf(float a) { return __nv_fast_fdividef(__nv_fast_sinf(a), __nv_fast_cosf(a)); }
CUDALABS_LIBDEVICE float __nv_fast_log2f(float a) { return __nvvm_lg2_approx_f(a); }
CUDALABS_LIBDEVICE float __nv_fast_logf(float a) { return __nvvm_lg2_approx_f(a) * 0.693147181f;  /* ln 2 */ }
CUDALABS_LIBDEVICE float __nv_fast_log10f(float a) { return __nvvm_lg2_approx_f(a) * 0.301029996f;  /* log10 2 */ }
CUDALABS_LIBDEVICE float __nv_fast_expf(float a) { return __nvvm_ex2_approx_f(a * 1.44269504f);  /* log2 e */ }
CUDALABS_LIBDEVICE float __nv_fast_exp10f(float a) { return __nvvm_ex2_approx_f(a * 3.32192809f);  /* log2 10 */ }
CUDALABS_LIBDEVICE float __nv_fast_powf(float a, float b) { return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a)); }
CUDALABS_LIBDEVICE void __nv_fast_sincosf(float a, float* s, float* c) { *s = __nv_fast_sinf(a); *c = __nv_fast_cosf(a); }
#undef CUDALABS_LIBDEVICE
}
// clang-format on
