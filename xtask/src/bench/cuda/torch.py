"""torch.mm, timed on request: a line `TYPE N CALLS` on stdin is answered by the milliseconds of one call on stdout."""

import sys

import torch

DTYPES = {
    "bf16": torch.bfloat16,
    "f16": torch.float16,
    "f32": torch.float32,
    "tf32": torch.float32,
    "f64": torch.float64,
}

operands = {}
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
# Keeps the GPU busy while the calls that are timed are queued.
busy = torch.rand(4096, 4096, device="cuda") * 2 - 1


def timed(name, n, calls):
    dtype = DTYPES[name]
    torch.backends.cuda.matmul.allow_tf32 = False
    if (dtype, n) not in operands:
        operands.clear()
        # Of full precision in every type: numbers that end in zeros take less power.
        a, b = ((torch.rand(n, n, device="cuda", dtype=torch.float64) * 2 - 1).to(dtype) for _ in range(2))
        operands[dtype, n] = a, b, torch.empty(n, n, device="cuda", dtype=dtype)
    a, b, c = operands[dtype, n]
    torch.mm(busy, busy)
    torch.backends.cuda.matmul.allow_tf32 = name == "tf32"
    torch.mm(a, b, out=c)
    begin.record()
    for _ in range(calls):
        torch.mm(a, b, out=c)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / calls


def cublas():
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if "libcublas.so" in line}
    return " ".join(sorted(paths))


torch.mm(busy, busy)
print(torch.__version__, torch.version.cuda, cublas(), flush=True)
for line in sys.stdin:
    name, n, calls = line.split()
    print(timed(name, int(n), int(calls)), flush=True)
