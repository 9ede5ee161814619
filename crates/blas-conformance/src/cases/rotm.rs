//! rotm: all flags, parameters on the host and on the device.

use crate::prelude::*;

pub(super) fn rotm<B: Backend>(t: &mut Table<B>) {
    each_type!(t, T in R => {
        t.scenario("rotm", BASIC, on_host::<T, B>);
        t.scenario("rotm_device", BASIC, on_device::<T, B>);
    });
}

const FLAGS: &[f64] = &[-1.0, 0.0, 1.0, -2.0];

/// Whether parameter `k` (flag, h11, h21, h12, h22) is read under a flag.
fn is_read(flag: f64, k: usize) -> bool {
    match k {
        0 => true,
        2 | 3 => flag == -1.0 || flag == 0.0,
        _ => flag == -1.0 || flag == 1.0,
    }
}

fn on_host<T: RealField + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.dim("n");
    let (x, y) = (c.output::<T>("x", Form::vector(n)), c.output::<T>("y", Form::vector(n)));
    let flag = c.pick("flag", FLAGS);
    let mut param: [T; 5] = std::array::from_fn(T::poison);
    for (k, p) in param.iter_mut().enumerate().filter(|&(k, _)| is_read(flag, k)) {
        *p = T::from_z(if k == 0 { Z::new(flag, 0.0) } else { c.value::<T>() });
    }
    c.note("param", param);

    let mut operands = (x, y);
    c.run(&mut operands, |h, (x, y)| h.rotm(x.vec_mut()?, y.vec_mut()?, param))?;

    let (x, y) = &operands;
    rotated(c, x, y, |_, k| param[k].z().re)
}

fn on_device<T: RealField + Num, B: Backend>(c: &mut Case<'_, B>) -> Verdict {
    let n = c.dim("n");
    let (x, y) = (c.output::<T>("x", Form::vector(n)), c.output::<T>("y", Form::vector(n)));
    // Each entry has parameters of its own, and its own flag.
    let mut param = c.bare::<T>("param", Role::In, Form::contiguous(Dim::bound("5", 5)));
    for e in 0..c.batch() {
        let flag = FLAGS[c.rng().below(4)];
        param.set(e, 0, 0, Z::new(flag, 0.0));
        for k in 1..5 {
            let value = if is_read(flag, k) { c.value::<T>() } else { Z::new(f64::NAN, 0.0) };
            param.set(e, k, 0, value);
        }
    }

    let mut operands = (x, y, param);
    c.run(&mut operands, |h, (x, y, param)| h.rotm(x.vec_mut()?, y.vec_mut()?, param.vec()?))?;

    let (x, y, param) = &operands;
    rotated(c, x, y, |e, k| param.before(e, k, 0).re)
}

fn rotated<T: Num, B: Backend>(
    c: &Case<'_, B>,
    x: &Operand<T, B>,
    y: &Operand<T, B>,
    param: impl Fn(usize, usize) -> f64,
) -> Verdict {
    // A row of H times the two components.
    let row = |h: [f64; 2], x: Z, y: Z| {
        let mut acc = Acc::new(false);
        acc.fma(Z::new(h[0], 0.0), x);
        acc.fma(Z::new(h[1], 0.0), y);
        acc
    };
    let kept = |z: Z| {
        let mut acc = Acc::new(false);
        acc.add(z);
        acc.idle = true;
        acc
    };
    c.compare(x, |e, i, _| {
        let (x, y, p) = (x.before(e, i, 0), y.before(e, i, 0), |k| param(e, k));
        match p(0) {
            -1.0 => row([p(1), p(3)], x, y),
            0.0 => row([1.0, p(3)], x, y),
            1.0 => row([p(1), 1.0], x, y),
            _ => kept(x),
        }
    })?;
    c.compare(y, |e, i, _| {
        let (x, y, p) = (x.before(e, i, 0), y.before(e, i, 0), |k| param(e, k));
        match p(0) {
            -1.0 => row([p(2), p(4)], x, y),
            0.0 => row([p(2), 1.0], x, y),
            1.0 => row([-1.0, p(4)], x, y),
            _ => kept(y),
        }
    })
}
