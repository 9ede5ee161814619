//! Broken backends: each fault is a layer over a good one that gets one thing wrong, as some BLAS once did.
//!
//! A fault edits the descriptor before the call or the operands around it. All edits stay within the memory that the
//! suite allocated (guard zones and padding included), so that a fault is a wrong result and never a crash.

use blas_api::*;

/// One deliberate fault.
pub struct Fault {
    /// Short name, unique.
    pub name: &'static str,
    /// The routines that it breaks, one at a time.
    pub routines: &'static [Routine],
    run: unsafe fn(&dyn RawHandle, Call<'_>) -> Result,
}

/// A fault of one routine as a layer.
pub(super) struct Faulty {
    pub(super) fault: &'static Fault,
    pub(super) routine: Routine,
}

// SAFETY: a fault stays within the suite's buffers, as said above; wrong results are its purpose.
unsafe impl Layer for Faulty {
    unsafe fn call<R: RawHandle>(&self, inner: &R, call: Call<'_>) -> Result {
        // SAFETY: the caller's promise.
        unsafe {
            if call.routine() == self.routine { (self.fault.run)(inner, call) } else { call.run(inner) }
        }
    }
}

/// A coefficient so small that it changes no finite result, yet carries NaN and infinity.
const TINY: RawScalar = RawScalar::Host([1e-37, 0.0]);

fn is_zero(s: RawScalar) -> bool {
    s == RawScalar::ZERO
}

/// Runs a call with an edited copy of its descriptor; other calls run as they are.
macro_rules! edit {
    ($raw:ident, $call:ident; $($variant:ident)|+ : $d:ident => $edit:expr) => {
        match $call {
            $(Call::$variant(old) => {
                let mut $d = *old;
                $edit;
                Call::$variant(&$d).run($raw)
            })+
            other => other.run($raw),
        }
    };
}

/// The calls with a beta.
macro_rules! edit_beta {
    ($raw:ident, $call:ident, $d:ident => $edit:expr) => {
        edit!($raw, $call; Axpby | Gemv | Gbmv | Symv | Hemv | Sbmv | Hbmv | Spmv | Hpmv | Gemm | GemmEx | Symm | Hemm
            | Syrk | Herk | Syr2k | Her2k | Syrkx | Herkx | Geam: $d => $edit)
    };
}

/// The calls with an alpha.
macro_rules! edit_alpha {
    ($raw:ident, $call:ident, $d:ident => $edit:expr) => {
        edit!($raw, $call; Scal | Axpy | Axpby | Gemv | Gbmv | Ger | Geru | Gerc | Symv | Hemv | Sbmv | Hbmv | Spmv | Hpmv
            | Syr | Her | Spr | Hpr | Syr2 | Her2 | Spr2 | Hpr2 | Gemm | GemmEx | Symm | Hemm | Syrk | Herk | Syr2k | Her2k
            | Syrkx | Herkx | Trmm | Trsm | Geam: $d => $edit)
    };
}

fn unconj(t: Trans) -> Trans {
    Trans::new(t.is_transposed(), false)
}

fn conj(s: RawScalar) -> RawScalar {
    match s {
        RawScalar::Host([re, im]) => RawScalar::Host([re, -im]),
        device => device,
    }
}

/// The logical elements of a matrix stored m x n, each batch entry after the other.
unsafe fn elements<T>(a: Matrix, m: usize, n: usize, batch: usize) -> Vec<*mut T> {
    let mut out = Vec::with_capacity(m * n * batch);
    for b in 0..batch {
        // SAFETY: the descriptor names these elements.
        let base = unsafe { a.data.entry(b, size_of::<T>()) }.cast::<T>();
        for j in 0..n {
            out.extend((0..m).map(|i| base.wrapping_add(i + j * a.ld)));
        }
    }
    out
}

/// The logical elements of a vector, in order, each batch entry after the other.
unsafe fn vector<T>(x: Vector, n: usize, batch: usize) -> Vec<*mut T> {
    let mut out = Vec::with_capacity(n * batch);
    for b in 0..batch {
        // SAFETY: the descriptor names these elements.
        let base = unsafe { x.data.entry(b, size_of::<T>()) }.cast::<T>();
        let step = x.inc.unsigned_abs();
        out.extend((0..n).map(|i| base.wrapping_add(if x.inc < 0 { (n - 1 - i) * step } else { i * step })));
    }
    out
}

/// Runs `call` between reading `at` and giving old and new values to `mend`, whose answer is stored.
unsafe fn around<T: Copy>(
    raw: &dyn RawHandle,
    call: Call<'_>,
    at: &[*mut T],
    mend: impl Fn(usize, T, T) -> T,
) -> Result {
    // SAFETY: the pointers are to elements of the call's operands.
    unsafe {
        let old: Vec<T> = at.iter().map(|p| **p).collect();
        call.run(raw)?;
        for (i, (p, old)) in at.iter().zip(old).enumerate() {
            **p = mend(i, old, **p);
        }
    }
    Ok(())
}

/// Runs `call` with the elements `at` replaced, and puts them back.
unsafe fn replaced<T: Copy>(
    raw: &dyn RawHandle,
    call: Call<'_>,
    at: &[*mut T],
    f: impl Fn(T) -> T,
) -> Result {
    // SAFETY: the pointers are to elements of the call's operands.
    unsafe {
        let old: Vec<T> = at.iter().map(|p| **p).collect();
        for (p, old) in at.iter().zip(&old) {
            **p = f(*old);
        }
        let result = call.run(raw);
        for (p, old) in at.iter().zip(old) {
            **p = old;
        }
        result
    }
}

/// f32 rounded to the 10-bit mantissa of TF32.
fn tf32(x: f32) -> f32 {
    if x.is_finite() { f32::from_bits((x.to_bits() + 0x1000) & !0x1fff) } else { x }
}

/// Runs a reduction of its own in place of the routine's.
unsafe fn reduce<T: Scalar>(d: &ReduceDesc, f: impl Fn(&[[f64; 2]]) -> f64) -> Result {
    // SAFETY: the descriptor names these elements, and one result an entry.
    unsafe {
        let x = vector::<T>(d.x, d.n, d.batch);
        for b in 0..d.batch {
            let parts: Vec<_> = x[b * d.n..(b + 1) * d.n].iter().map(|p| (**p).parts()).collect();
            *d.out.ptr().cast::<T::Real>().add(b) = T::Real::from_parts([f(&parts), 0.0]);
        }
    }
    Ok(())
}

/// Runs a search of its own in place of iamax.
unsafe fn search<T: Scalar>(d: &ReduceDesc, f: impl Fn(&[[f64; 2]]) -> usize) -> Result {
    // SAFETY: as above; results are i64.
    unsafe {
        let x = vector::<T>(d.x, d.n, d.batch);
        for b in 0..d.batch {
            let parts: Vec<_> = x[b * d.n..(b + 1) * d.n].iter().map(|p| (**p).parts()).collect();
            *d.out.ptr().cast::<i64>().add(b) = if d.n == 0 { 0 } else { f(&parts) as i64 + 1 };
        }
    }
    Ok(())
}

fn first_max(values: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, v) in values.enumerate() {
        if v > best.1 {
            best = (i, v);
        }
    }
    best.0
}

/// An operand of which entry i is entry `order(i)`, with the array that it points into.
unsafe fn reordered(
    data: Address,
    batch: usize,
    size: usize,
    order: impl Fn(usize) -> usize,
) -> (Address, Vec<*mut u8>) {
    // SAFETY: `order` stays below the batch count.
    let ptrs: Vec<_> = (0..batch).map(|i| unsafe { data.entry(order(i), size) }).collect();
    (Address::Array { ptrs: ptrs.as_ptr(), on: Location::Host }, ptrs)
}

macro_rules! faults {
    ($($name:literal [$($routine:ident)+] |$raw:ident, $call:ident| $body:expr;)*) => {
        /// All faults.
        pub const FAULTS: &[Fault] = &[$(Fault {
            name: $name,
            routines: &[$(Routine::$routine),+],
            run: {
                unsafe fn run($raw: &dyn RawHandle, $call: Call<'_>) -> Result {
                    // SAFETY: the layer's caller promises a valid descriptor; edits stay within the suite's buffers.
                    unsafe { $body }
                }
                run
            },
        }),*];
    };
}

faults! {
    // What is read when a coefficient is zero.
    "gemm multiplies C by beta = 0" [Gemm GemmEx] |raw, call| edit_beta!(raw, call, d => if is_zero(d.beta) { d.beta = TINY });
    "gemv multiplies y by beta = 0" [Gemv Gbmv] |raw, call| edit_beta!(raw, call, d => if is_zero(d.beta) { d.beta = TINY });
    "symv multiplies y by beta = 0" [Symv Hemv Sbmv Hbmv Spmv Hpmv] |raw, call| edit_beta!(raw, call, d => if is_zero(d.beta) { d.beta = TINY });
    "symm multiplies C by beta = 0" [Symm Hemm] |raw, call| edit_beta!(raw, call, d => if is_zero(d.beta) { d.beta = TINY });
    "syrk multiplies C by beta = 0" [Syrk Herk Syr2k Her2k Syrkx Herkx] |raw, call| edit_beta!(raw, call, d => if is_zero(d.beta) { d.beta = TINY });
    "geam reads B for beta = 0" [Geam] |raw, call| edit_beta!(raw, call, d => if is_zero(d.beta) { d.beta = TINY });
    "axpby multiplies y by beta = 0" [Axpby] |raw, call| edit_beta!(raw, call, d => if is_zero(d.beta) { d.beta = TINY });
    "gemm reads A for alpha = 0" [Gemm] |raw, call| edit_alpha!(raw, call, d => if is_zero(d.alpha) { d.alpha = TINY });
    "axpy reads x for alpha = 0" [Axpy] |raw, call| edit_alpha!(raw, call, d => if is_zero(d.alpha) { d.alpha = TINY });
    "trsm reads A for alpha = 0" [Trsm Trmm] |raw, call| edit_alpha!(raw, call, d => if is_zero(d.alpha) { d.alpha = TINY });
    "gemv reads x for alpha = 0" [Gemv Symv] |raw, call| edit_alpha!(raw, call, d => if is_zero(d.alpha) { d.alpha = TINY });
    "gemm returns early for k = 0" [Gemm] |raw, call| match call {
        Call::Gemm(d) if d.k == 0 => Ok(()),
        other => other.run(raw),
    };
    "herk returns early for k = 0" [Herk Syrk] |raw, call| match call {
        Call::Herk(d) | Call::Syrk(d) if d.k == 0 => Ok(()),
        other => other.run(raw),
    };
    "gemm takes beta for 1 unless it is 0" [Gemm] |raw, call| edit_beta!(raw, call, d => if !is_zero(d.beta) { d.beta = RawScalar::ONE });
    "trsm forgets alpha" [Trsm] |raw, call| edit_alpha!(raw, call, d => d.alpha = RawScalar::ONE);
    "syrk forgets alpha" [Syrk] |raw, call| edit_alpha!(raw, call, d => if !is_zero(d.alpha) { d.alpha = RawScalar::ONE });
    "gemm takes a device alpha for 1" [Gemm] |raw, call| edit_alpha!(raw, call, d => if matches!(d.alpha, RawScalar::Device(_)) { d.alpha = RawScalar::ONE });
    "gemv takes the imaginary part of beta for 0" [Gemv] |raw, call| edit_beta!(raw, call, d => if let RawScalar::Host([re, _]) = d.beta { d.beta = RawScalar::Host([re, 0.0]) });
    "scal sets to zero for alpha = 0" [Scal] |raw, call| match call {
        Call::Scal(d) if is_zero(d.alpha) => with_dtype!(d.dtype, T in S => {
            for p in vector::<T>(d.x, d.n, d.batch) {
                *p = T::default();
            }
            Ok(())
        }, else call.run(raw)),
        other => other.run(raw),
    };

    // Flags.
    "gemm drops conjugation" [Gemm] |raw, call| edit!(raw, call; Gemm: d => (d.ta, d.tb) = (unconj(d.ta), unconj(d.tb)));
    "gemm drops conjugation without transposition" [Gemm] |raw, call| edit!(raw, call; Gemm: d => if d.ta == Trans::ConjN { d.ta = Trans::N });
    "gemm takes T for N where A is square" [Gemm] |raw, call| edit!(raw, call; Gemm: d => if d.m == d.k && d.ta == Trans::T { d.ta = Trans::N });
    "gemv drops conjugation" [Gemv] |raw, call| edit!(raw, call; Gemv: d => d.trans = unconj(d.trans));
    "trsv drops conjugation" [Trsv Tbsv Tpsv] |raw, call| match call {
        Call::Tbsv(d) => raw.tbsv(&TbmvDesc { trans: unconj(d.trans), ..*d }),
        Call::Tpsv(d) => raw.tpsv(&TpmvDesc { trans: unconj(d.trans), ..*d }),
        Call::Trsv(d) => raw.trsv(&TrmvDesc { trans: unconj(d.trans), ..*d }),
        other => other.run(raw),
    };
    "trsm drops conjugation" [Trsm] |raw, call| edit!(raw, call; Trsm: d => d.trans = unconj(d.trans));
    "trsm solves with the other triangle" [Trsm] |raw, call| edit!(raw, call; Trsm: d => d.uplo = d.uplo.flip());
    "trmm multiplies by the other triangle" [Trmm] |raw, call| edit!(raw, call; Trmm: d => d.uplo = d.uplo.flip());
    "trmv takes the other triangle if transposed" [Trmv] |raw, call| edit!(raw, call; Trmv: d => if d.trans.is_transposed() { d.uplo = d.uplo.flip() });
    "tpmv takes the other triangle" [Tpmv] |raw, call| edit!(raw, call; Tpmv: d => d.uplo = d.uplo.flip());
    "symm reads the other triangle" [Symm] |raw, call| edit!(raw, call; Symm: d => d.uplo = d.uplo.flip());
    "symv reads the other triangle" [Symv] |raw, call| edit!(raw, call; Symv: d => d.uplo = d.uplo.flip());
    "syrk writes the other triangle" [Syrk] |raw, call| edit!(raw, call; Syrk: d => d.uplo = d.uplo.flip());
    "row-major hemm keeps the column-major triangle" [Hemm] |raw, call| edit!(raw, call; Hemm: d => if d.conj { d.uplo = d.uplo.flip() });
    "row-major hemm forgets to conjugate" [Hemm] |raw, call| edit!(raw, call; Hemm: d => d.conj = false);
    "hbmv forgets to conjugate in row-major" [Hbmv Hpmv Hemv] |raw, call| match call {
        Call::Hbmv(d) => raw.hbmv(&SbmvDesc { conj: false, ..*d }),
        Call::Hpmv(d) => raw.hpmv(&SpmvDesc { conj: false, ..*d }),
        Call::Hemv(d) => raw.hemv(&SymvDesc { conj: false, ..*d }),
        other => other.run(raw),
    };
    "hemm computes symm" [Hemm] |raw, call| match call {
        Call::Hemm(d) => raw.symm(d),
        other => other.run(raw),
    };
    "herk takes C for T" [Herk] |raw, call| edit!(raw, call; Herk: d => d.trans = unconj(d.trans));
    "her2k conjugates alpha" [Her2k] |raw, call| edit!(raw, call; Her2k: d => d.alpha = conj(d.alpha));
    "her2 conjugates alpha" [Her2 Hpr2] |raw, call| match call {
        Call::Her2(d) => raw.her2(&Syr2Desc { alpha: conj(d.alpha), ..*d }),
        Call::Hpr2(d) => raw.hpr2(&Spr2Desc { alpha: conj(d.alpha), ..*d }),
        other => other.run(raw),
    };
    "her2 forgets to conjugate in row-major" [Her2] |raw, call| edit!(raw, call; Her2: d => d.conj = false);
    "gerc computes geru" [Gerc] |raw, call| edit!(raw, call; Gerc: d => (d.conj_x, d.conj_y) = (false, false));
    "row-major gerc conjugates x" [Gerc] |raw, call| edit!(raw, call; Gerc: d => (d.conj_x, d.conj_y) = (false, true));
    "dotc computes dot" [Dotc] |raw, call| match call {
        Call::Dotc(d) => raw.dot(d),
        other => other.run(raw),
    };
    "rot forgets conj(s)" [Rot] |raw, call| edit!(raw, call; Rot: d => d.s = conj(d.s));
    "trsm reads a unit diagonal" [Trsm] |raw, call| edit!(raw, call; Trsm: d => d.diag = Diag::NonUnit);
    "trmm takes every diagonal for unit" [Trmm] |raw, call| edit!(raw, call; Trmm: d => d.diag = Diag::Unit);
    "tbsv reads a unit diagonal" [Tbsv Tpsv Trsv] |raw, call| match call {
        Call::Tbsv(d) => raw.tbsv(&TbmvDesc { diag: Diag::NonUnit, ..*d }),
        Call::Tpsv(d) => raw.tpsv(&TpmvDesc { diag: Diag::NonUnit, ..*d }),
        Call::Trsv(d) => raw.trsv(&TrmvDesc { diag: Diag::NonUnit, ..*d }),
        other => other.run(raw),
    };
    "trsm takes the wrong side of a square B" [Trsm] |raw, call| edit!(raw, call; Trsm: d => if d.m == d.n { d.side = d.side.flip() });
    "dgmm takes the wrong side of a square C" [Dgmm] |raw, call| edit!(raw, call; Dgmm: d => if d.m == d.n { d.side = d.side.flip() });
    "symm forgets that B is transposed if square" [Symm Hemm] |raw, call| match call {
        Call::Symm(d) if d.m == d.n => raw.symm(&SymmDesc { tb: Trans::N, ..*d }),
        Call::Hemm(d) if d.m == d.n => raw.hemm(&SymmDesc { tb: Trans::N, ..*d }),
        other => other.run(raw),
    };
    "geam forgets that B is transposed if square" [Geam] |raw, call| edit!(raw, call; Geam: d => if d.m == d.n { d.tb = Trans::N });
    "gbmv exchanges kl and ku" [Gbmv] |raw, call| edit!(raw, call; Gbmv: d => (d.kl, d.ku) = (d.ku, d.kl));
    "tbmv drops the outermost diagonal" [Tbmv Tbsv] |raw, call| match call {
        Call::Tbmv(d) if d.uplo == Uplo::Lower && d.k > 0 => raw.tbmv(&TbmvDesc { k: d.k - 1, ..*d }),
        Call::Tbsv(d) if d.uplo == Uplo::Lower && d.k > 0 => raw.tbsv(&TbmvDesc { k: d.k - 1, ..*d }),
        other => other.run(raw),
    };

    // Edges of tiles, batches, increments.
    "gemm loses the last row after a tile of 16" [Gemm] |raw, call| edit!(raw, call; Gemm: d => if d.m > 16 && d.m % 16 == 1 { d.m -= 1 });
    "gemm loses the last column after a tile of 4" [Gemm] |raw, call| edit!(raw, call; Gemm: d => if d.n > 4 && d.n % 4 == 1 { d.n -= 1 });
    "gemm loses the last of an odd k" [Gemm GemmEx] |raw, call| edit!(raw, call; Gemm | GemmEx: d => if d.k > 2 && d.k % 2 == 1 { d.k -= 1 });
    "trsm stops before the last column after a block of 32" [Trsm] |raw, call| edit!(raw, call; Trsm: d => if d.n > 32 && d.n % 32 == 1 { d.n -= 1 });
    "axpy loses the tail of a block of 8" [Axpy] |raw, call| edit!(raw, call; Axpy: d => if d.n > 8 && d.n % 8 != 0 && d.x.inc > 0 && d.y.inc > 0 { d.n -= 1 });
    "gemm runs one entry for a broadcast A" [Gemm] |raw, call| edit!(raw, call; Gemm: d => if matches!(d.a.data, Address::Strided { stride: 0, .. }) { d.batch = 1 });
    "gemm takes each batch stride of B for 0" [Gemm] |raw, call| edit!(raw, call; Gemm: d => if let Address::Strided { ptr, .. } = d.b.data { d.b.data = Address::single(ptr) });
    "gemm loses the last batch entry" [Gemm] |raw, call| edit!(raw, call; Gemm: d => if d.batch > 1 { d.batch -= 1 });
    "trsm runs the first batch entry only" [Trsm] |raw, call| edit!(raw, call; Trsm: d => d.batch = 1);
    "gemv loses the last entry of a pointer array" [Gemv] |raw, call| edit!(raw, call; Gemv: d => if d.batch > 1 && matches!(d.y.data, Address::Array { .. }) { d.batch -= 1 });
    "gemm walks a pointer array backwards" [Gemm] |raw, call| match call {
        Call::Gemm(d) if matches!(d.a.data, Address::Array { .. }) => {
            let (data, _ptrs) = reordered(d.a.data, d.batch, d.types.a.size(), |i| d.batch - 1 - i);
            raw.gemm(&GemmDesc { a: Matrix { data, ..d.a }, ..*d })
        }
        other => other.run(raw),
    };
    "gemm cuts the batch count to 16 bits" [Gemm] |raw, call| edit!(raw, call; Gemm: d => d.batch &= 0xffff);
    "dot takes negative increments for positive" [Dot] |raw, call| edit!(raw, call; Dot: d => d.x.inc = d.x.inc.abs());
    "gemv takes negative increments of y for positive" [Gemv] |raw, call| edit!(raw, call; Gemv: d => d.y.inc = d.y.inc.abs());
    "syr2 takes the increment of y for that of x" [Syr2] |raw, call| edit!(raw, call; Syr2: d => if d.x.inc.abs() < d.y.inc.abs() && d.x.inc.signum() == d.y.inc.signum() { d.y.inc = d.x.inc });
    "swap copies one way" [Swap] |raw, call| match call {
        Call::Swap(d) => raw.copy(&CopyDesc { dtype: d.dtype, batch: d.batch, n: d.n, x: d.x, y: d.y }),
        other => other.run(raw),
    };

    // Memory that is not the routine's.
    "gemm writes the padding of C" [Gemm] |raw, call| match call {
        Call::Gemm(d) => {
            call.run(raw)?;
            if d.c.ld > d.m && d.m > 0 && d.n > 1 {
                let p = d.c.data.entry(0, d.types.c.size());
                std::ptr::write_bytes(p.add(d.m * d.types.c.size()), 0, d.types.c.size());
            }
            Ok(())
        }
        other => other.run(raw),
    };
    "axpy writes the gaps of y" [Axpy Copy] |raw, call| match call {
        Call::Axpy(AxpyDesc { dtype, n, y, .. }) | Call::Copy(CopyDesc { dtype, n, y, .. }) => {
            call.run(raw)?;
            if y.inc.abs() > 1 && *n > 1 {
                std::ptr::write_bytes(y.data.entry(0, dtype.size()).add(dtype.size()), 0, dtype.size());
            }
            Ok(())
        }
        other => other.run(raw),
    };
    "syrk mirrors into the other triangle" [Syrk] |raw, call| match call {
        Call::Syrk(d) => with_dtype!(d.dtype, T in X => {
            call.run(raw)?;
            let c = elements::<T>(d.c, d.n, d.n, d.batch);
            for b in 0..d.batch {
                for j in 0..d.n {
                    for i in 0..j {
                        let at = |i: usize, j: usize| c[(b * d.n + j) * d.n + i];
                        let (upper, lower) = (at(i, j), at(j, i));
                        if d.uplo == Uplo::Upper { *lower = *upper } else { *upper = *lower }
                    }
                }
            }
            Ok(())
        }, else call.run(raw)),
        other => other.run(raw),
    };
    "trtri writes a unit diagonal" [Trtri] |raw, call| match call {
        Call::Trtri(d) if d.diag == Diag::Unit => with_dtype!(d.dtype, T in X => {
            call.run(raw)?;
            for (i, p) in elements::<T>(d.inv, d.n, d.n, d.batch).into_iter().enumerate() {
                if i / d.n % d.n == i % d.n { *p = Scalar::from_parts([1.0, 0.0]) }
            }
            Ok(())
        }, else call.run(raw)),
        other => other.run(raw),
    };

    // The Hermitian diagonal.
    "herk keeps the imaginary diagonal" [Herk Her2k Herkx] |raw, call| match call {
        Call::Herk(SyrkDesc { dtype, batch, n, c, .. })
        | Call::Her2k(Syr2kDesc { dtype, batch, n, c, .. })
        | Call::Herkx(Syr2kDesc { dtype, batch, n, c, .. }) => with_dtype!(*dtype, T in C => {
            let c = elements::<T>(*c, *n, *n, *batch);
            around(raw, call, &c, |i, old, new| if i / n % n == i % n { T::new(new.re, old.im) } else { new })
        }, else call.run(raw)),
        other => other.run(raw),
    };
    "her keeps the imaginary diagonal" [Her Her2] |raw, call| match call {
        Call::Her(SyrDesc { dtype, batch, n, a, .. }) | Call::Her2(Syr2Desc { dtype, batch, n, a, .. }) => {
            with_dtype!(*dtype, T in C => {
                let a = elements::<T>(*a, *n, *n, *batch);
                around(raw, call, &a, |i, old, new| if i / n % n == i % n { T::new(new.re, old.im) } else { new })
            }, else call.run(raw))
        }
        other => other.run(raw),
    };

    // Precision.
    "gemm rounds f32 to TF32" [Gemm] |raw, call| match call {
        Call::Gemm(d) if d.types.a == DType::F32 => {
            let (rows, cols) = if d.ta.is_transposed() { (d.k, d.m) } else { (d.m, d.k) };
            // One entry may be shared by all: rounding twice is rounding once, and what is put back is the first.
            let a = elements::<f32>(d.a, rows, cols, if matches!(d.a.data, Address::Strided { stride: 0, .. }) { 1 } else { d.batch });
            if is_zero(d.alpha) { return call.run(raw) }
            replaced(raw, call, &a, tf32)
        }
        other => other.run(raw),
    };
    "gemm of half types rounds every partial sum" [Gemm] |raw, call| match call {
        Call::Gemm(d) if d.types.a.size() == 2 && d.k > 1 && !is_zero(d.alpha) => {
            for l in 0..d.k {
                let column = |a: Matrix, transposed: bool| Matrix {
                    data: match a.data {
                        Address::Strided { ptr, stride } => Address::Strided { ptr: ptr.wrapping_add(2 * l * if transposed { 1 } else { a.ld }), stride },
                        array => array,
                    },
                    ..a
                };
                if matches!(d.a.data, Address::Array { .. }) || matches!(d.b.data, Address::Array { .. }) {
                    return call.run(raw);
                }
                let (a, b) = (column(d.a, d.ta.is_transposed()), column(d.b, !d.tb.is_transposed()));
                let beta = if l == 0 { d.beta } else { RawScalar::ONE };
                raw.gemm(&GemmDesc { a, b, beta, k: 1, ..*d })?;
            }
            Ok(())
        }
        other => other.run(raw),
    };
    "gemm_ex narrows alpha to half precision" [GemmEx] |raw, call| edit!(raw, call; GemmEx: d => if let (2, RawScalar::Host([re, im])) = (d.types.a.size(), d.alpha) { d.alpha = RawScalar::Host([f64::from(f16::from_f64(re)), im]) });
    "gemm_ex ignores beta for a C wider than A" [GemmEx] |raw, call| edit!(raw, call; GemmEx: d => if d.types.c != d.types.a { d.beta = RawScalar::ZERO });
    "dsdot sums in f32" [Dsdot] |raw, call| match call {
        Call::Dsdot(d) => {
            let (x, y) = (vector::<f32>(d.x, d.n, d.batch), vector::<f32>(d.y, d.n, d.batch));
            for b in 0..d.batch {
                let sum: f32 = (b * d.n..(b + 1) * d.n).map(|i| *x[i] * *y[i]).sum();
                *d.out.ptr().cast::<f64>().add(b) = f64::from(sum);
            }
            Ok(())
        }
        other => other.run(raw),
    };
    "nrm2 overflows and underflows" [Nrm2] |raw, call| match call {
        Call::Nrm2(d) => with_dtype!(d.dtype, T in X => {
            let narrow = |v: f64| if d.dtype.real() == DType::F32 { f64::from(v as f32) } else { v };
            reduce::<T>(d, |x| narrow(x.iter().map(|[re, im]| narrow(re * re) + narrow(im * im)).sum::<f64>()).sqrt())
        }, else call.run(raw)),
        other => other.run(raw),
    };
    "asum sums moduli" [Asum] |raw, call| match call {
        Call::Asum(d) => with_dtype!(d.dtype, T in C => reduce::<T>(d, |x| x.iter().map(|[re, im]| re.hypot(*im)).sum()), else call.run(raw)),
        other => other.run(raw),
    };
    "nrm2 lets infinity win over NaN" [Nrm2] |raw, call| match call {
        Call::Nrm2(d) => with_dtype!(d.dtype, T in X => {
            call.run(raw)?;
            let x = vector::<T>(d.x, d.n, d.batch);
            for b in 0..d.batch {
                if x[b * d.n..(b + 1) * d.n].iter().any(|p| (**p).parts().iter().any(|v| v.is_infinite())) {
                    *d.out.ptr().cast::<<T as Scalar>::Real>().add(b) = Scalar::from_parts([f64::INFINITY, 0.0]);
                }
            }
            Ok(())
        }, else call.run(raw)),
        other => other.run(raw),
    };

    // Searches and results.
    "iamax finds the last maximum" [Iamax] |raw, call| match call {
        Call::Iamax(d) => with_dtype!(d.dtype, T in S => search::<T>(d, |x| {
            let last = first_max(x.iter().rev().map(|[re, im]| re.abs() + im.abs()));
            match x.iter().position(|v| v[0].is_nan() || v[1].is_nan()) { Some(nan) => nan, None => x.len() - 1 - last }
        }), else call.run(raw)),
        other => other.run(raw),
    };
    "iamax ignores NaN" [Iamax] |raw, call| match call {
        Call::Iamax(d) => with_dtype!(d.dtype, T in S => search::<T>(d, |x| first_max(x.iter().map(|[re, im]| re.abs() + im.abs()))), else call.run(raw)),
        other => other.run(raw),
    };
    "iamax compares moduli" [Iamax] |raw, call| match call {
        Call::Iamax(d) => with_dtype!(d.dtype, T in C => search::<T>(d, |x| {
            match x.iter().position(|v| v[0].is_nan() || v[1].is_nan()) {
                Some(nan) => nan,
                None => first_max(x.iter().map(|[re, im]| re.hypot(*im))),
            }
        }), else call.run(raw)),
        other => other.run(raw),
    };
    "iamin counts from 0" [Iamin] |raw, call| match call {
        Call::Iamin(d) => {
            call.run(raw)?;
            for b in 0..d.batch {
                *d.out.ptr().cast::<i64>().add(b) -= 1;
            }
            Ok(())
        }
        other => other.run(raw),
    };
    "dot leaves a device result unwritten" [Dot] |raw, call| match call {
        Call::Dot(DotDesc { out: RawOut::Device(_), .. }) => Ok(()),
        other => other.run(raw),
    };
    "dot of nothing writes nothing" [Dot] |raw, call| match call {
        Call::Dot(DotDesc { n: 0, .. }) => Ok(()),
        other => other.run(raw),
    };
    "ger skips zeros of y" [Ger Geru Gerc] |raw, call| match call {
        Call::Ger(d) | Call::Geru(d) | Call::Gerc(d) => with_dtype!(d.dtype, T in X => {
            let (a, conj_y) = (elements::<T>(d.a, d.m, d.n, d.batch), vector::<T>(d.y, d.n, d.batch));
            let zero: Vec<bool> = conj_y.iter().map(|p| **p == T::default()).collect();
            around(raw, call, &a, |i, old, new| if zero[i / d.m] { old } else { new })
        }, else call.run(raw)),
        other => other.run(raw),
    };
    "rotg takes the sign of b" [Rotg] |raw, call| match call {
        Call::Rotg(d) => with_dtype!(d.dtype, T in R => {
            call.run(raw)?;
            for b in 0..d.batch {
                for p in [d.a, d.c, d.s] {
                    let p = p.ptr().cast::<T>().add(b);
                    *p = -*p;
                }
            }
            Ok(())
        }, else call.run(raw)),
        other => other.run(raw),
    };
    "rotm takes flag 1 for 0" [Rotm] |raw, call| edit!(raw, call; Rotm: d => if let RawParam::Host(p) = &mut d.param && p[0] == 1.0 { p[0] = 0.0 });
    "rotmg exchanges h12 and h21" [Rotmg] |raw, call| match call {
        Call::Rotmg(d) => with_dtype!(d.dtype, T in R => {
            call.run(raw)?;
            for b in 0..d.batch {
                let p = d.param.ptr().cast::<T>().add(5 * b);
                std::ptr::swap(p.add(2), p.add(3));
            }
            Ok(())
        }, else call.run(raw)),
        other => other.run(raw),
    };
    "axpy claims support and has none" [Axpy] |raw, call| match call {
        Call::Axpy(_) => Err(Error::Unsupported { routine: "axpy", types: call.types(), backend: "broken", why: "a fault" }),
        other => other.run(raw),
    };
    "gemm differs from run to run" [Gemm] |raw, call| match call {
        Call::Gemm(d) if d.types.a == DType::F64 && d.m * d.n > 0 => {
            use std::sync::atomic::{AtomicU64, Ordering};
            static RUNS: AtomicU64 = AtomicU64::new(0);
            call.run(raw)?;
            let p = d.c.data.entry(0, 8).cast::<f64>();
            *p = f64::from_bits((*p).to_bits() ^ (RUNS.fetch_add(1, Ordering::Relaxed) & 1));
            Ok(())
        }
        other => other.run(raw),
    };

    // Solvers.
    "getrf counts pivots from 0" [Getrf] |raw, call| match call {
        Call::Getrf(d) => {
            call.run(raw)?;
            if let Some(pivots) = d.pivots {
                for p in vector::<i32>(Vector { data: pivots, inc: 1 }, d.m.min(d.n), d.batch) {
                    *p -= 1;
                }
            }
            Ok(())
        }
        other => other.run(raw),
    };
    "getrf does not report a zero pivot" [Getrf] |raw, call| match call {
        Call::Getrf(d) => {
            call.run(raw)?;
            std::ptr::write_bytes(d.info.ptr().cast::<i32>(), 0, d.batch);
            Ok(())
        }
        other => other.run(raw),
    };
    "getrs ignores trans" [Getrs] |raw, call| edit!(raw, call; Getrs: d => d.trans = Trans::N);
    "getri writes C for a singular A" [Getri] |raw, call| match call {
        Call::Getri(d) if d.n > 0 => {
            call.run(raw)?;
            for b in 0..d.batch {
                if *d.info.ptr().cast::<i32>().add(b) != 0 {
                    std::ptr::write_bytes(d.c.data.entry(b, d.dtype.size()), 0, d.dtype.size());
                }
            }
            Ok(())
        }
        other => other.run(raw),
    };
    "geqrf conjugates tau" [Geqrf] |raw, call| match call {
        Call::Geqrf(d) => with_dtype!(d.dtype, T in C => {
            call.run(raw)?;
            for p in vector::<T>(d.tau, d.m.min(d.n), d.batch) {
                *p = Scalar::conj(*p);
            }
            Ok(())
        }, else call.run(raw)),
        other => other.run(raw),
    };
    "gels solves the untransposed problem if square" [Gels] |raw, call| edit!(raw, call; Gels: d => if d.m == d.n { d.trans = Trans::N });
}
