//! What is captured does what the calls do, whichever of them run side by side.

use blas_api::*;
use blas_cuda::Cuda;

use super::{alone, open};

/// Matrices of N rows, of which products take all columns or some.
struct Matrices(Vec<Buffer<f32, Cuda>>);

/// Rows of the matrices, and columns: so many that cuBLAS splits the sums over all of them.
const N: usize = 64;
const LONG: usize = 1 << 14;

impl Matrices {
    fn new(blas: &Handle<Cuda>, number: usize) -> Result<Self> {
        let all: Result<_> = (0..number).map(|i| blas.upload(&values(i as u64 + 1, N * LONG))).collect();
        Ok(Matrices(all?))
    }

    /// Calls in an order that depends on the seed alone: products of any three of the matrices, long and short ones, in f32,
    /// and now and then something else.
    fn calls(&mut self, blas: &Handle<Cuda>, seed: u64) -> Result {
        let mut next = numbers(seed);
        let mut below = |n: usize| (next() >> 33) as usize % n;
        for _ in 0..150 {
            let (to, a, b) = (below(self.0.len()), below(self.0.len()), below(self.0.len()));
            let (k, beta) = (if below(3) == 0 { LONG } else { N }, below(2) as f32 / 2.0);
            if a == to || b == to {
                continue;
            }
            let mut c = self.0.swap_remove(to);
            // `swap_remove` has put the last one there.
            let at = |i: usize| if i == self.0.len() { to } else { i };
            let (a, b) = (&self.0[at(a)], &self.0[at(b)]);
            match below(10) {
                0 => blas.axpy(0.5, a.vec(), c.vec_mut())?,
                1 => blas.scal(0.5, c.vec_mut())?,
                _ => {
                    let corner = below(2) * 32;
                    // All of C, or a part of its columns.
                    let (a, b) = (a.mat(N, k, Layout::Col)?, b.mat(N - corner, k, Layout::Col)?);
                    let mut c = c.slice_mut().skip(corner * N)?.mat(N, N - corner, Layout::Col)?;
                    blas.gemm(1.0 / k as f32, a, b.t(), beta, c.rb_mut())?;
                }
            }
            self.0.push(c);
            let last = self.0.len() - 1;
            self.0.swap(to, last);
        }
        Ok(())
    }

    fn bits(&self, blas: &Handle<Cuda>) -> Result<Vec<u32>> {
        let mut all = Vec::new();
        for matrix in &self.0 {
            all.extend(matrix.to_vec(blas)?.into_iter().map(f32::to_bits));
        }
        Ok(all)
    }
}

/// Marsaglia's xorshift64.
fn numbers(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

fn values(seed: u64, len: usize) -> Vec<f32> {
    let mut next = numbers(seed);
    (0..len).map(|_| (next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0).collect()
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn branches_keep_the_order_that_memory_asks_for() -> Result {
    let _alone = alone();
    for (seed, workspace) in [(1, 8 << 20), (2, 32 << 20), (3, 32 << 20), (4, 200 << 20)] {
        let blas = open();
        blas.set_workspace(Workspace::Fixed(workspace))?;
        let mut called = Matrices::new(&blas, 9)?;
        called.calls(&blas, seed)?;
        let mut captured = Matrices::new(&blas, 9)?;
        let graph = blas.capture(|blas| captured.calls(blas, seed))?;
        // SAFETY: the buffers are there, and nothing else uses them.
        unsafe { graph.launch() }?;
        assert!(called.bits(&blas)? == captured.bits(&blas)?, "seed {seed}");
        // The handle has its own workspace again.
        let (mut again, mut expected) = (Matrices::new(&blas, 9)?, Matrices::new(&blas, 9)?);
        drop(graph);
        again.calls(&blas, seed + 10)?;
        blas.set_workspace(Workspace::OnDemand)?;
        blas.set_workspace(Workspace::Fixed(workspace))?;
        expected.calls(&blas, seed + 10)?;
        assert!(again.bits(&blas)? == expected.bits(&blas)?, "seed {seed}, afterwards");
    }
    Ok(())
}
