// nrm2: squares of the narrower types are summed in double, where they neither overflow nor underflow; those of double in three
// sums, of which the outer two are scaled (Blue, 1978, with the constants of LAPACK 3.10).

struct Sums { double small, medium, large; };

template <class A> __device__ void add_square(Sums& s, A v) { s.medium += (double)v * v; }
template <> __device__ void add_square(Sums& s, double v) {
    const double tiny = 0x1p-511, huge = 0x1p486, up = 0x1p537, down = 0x1p-538;
    v = fabs(v);
    if (v > huge) s.large += (v * down) * (v * down);
    else if (v < tiny) s.small += (v * up) * (v * up);
    else s.medium += v * v;
}

__device__ double root(Sums s) {
    const double up = 0x1p537, down = 0x1p-538;
    if (s.large > 0 || s.large != s.large) {
        if (s.medium > 0 || s.medium != s.medium) s.large += (s.medium * down) * down;
        return sqrt(s.large) / down;
    }
    if (s.small > 0) {
        if (s.medium > 0 || s.medium != s.medium) {
            double medium = sqrt(s.medium), small = sqrt(s.small) / up;
            if (medium != medium) return medium;
            double low = fmin(medium, small), high = fmax(medium, small);
            return high * sqrt(1 + (low / high) * (low / high));
        }
        return sqrt(s.small) / up;
    }
    return sqrt(s.medium);
}

// The sums of a block's threads, in thread 0, added in an order that is always the same.
__device__ Sums sums_of_block(Sums s) {
    __shared__ Sums all[256];
    unsigned t = threadIdx.x;
    all[t] = s;
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            all[t].small += all[t + half].small;
            all[t].medium += all[t + half].medium;
            all[t].large += all[t + half].large;
        }
    }
    return all[0];
}

extern "C" __global__ void nrm2(i64 n, const T* x, i64 inc, Sums* out) {
    Sums s = {0, 0, 0};
    for (i64 i = first(); i < n; i += step()) {
        T v = x[at(n, inc, i)];
        add_square(s, re(v)), add_square(s, im(v));
    }
    s = sums_of_block(s);
    if (threadIdx.x == 0) out[blockIdx.x] = s;
}

// T is the type of the result.
extern "C" __global__ void nrm2_last(int count, const Sums* sums, T* out) {
    Sums s = {0, 0, 0};
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        s.small += sums[i].small;
        s.medium += sums[i].medium;
        s.large += sums[i].large;
    }
    s = sums_of_block(s);
    if (threadIdx.x == 0) set(*out, (R)root(s), (R)0);
}
