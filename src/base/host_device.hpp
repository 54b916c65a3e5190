// WAYFRONT_HD marks small functions that run on the host and in CUDA kernels. Other compilers than
// nvcc ignore it, so that headers with such functions remain ordinary C++.
#pragma once

#ifdef __CUDACC__
#define WAYFRONT_HD __host__ __device__
#else
#define WAYFRONT_HD
#endif
