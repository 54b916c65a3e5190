// WAYFRONT_HD marks small functions that run on the host and in CUDA kernels alike. Outside nvcc it is nothing, so that headers with such functions
// stay ordinary C++.
#pragma once

#ifdef __CUDACC__
#define WAYFRONT_HD __host__ __device__
#else
#define WAYFRONT_HD
#endif
