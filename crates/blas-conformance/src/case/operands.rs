//! What a case makes its operands and coefficients of.

use blas_api::*;

use super::{Case, Rule, Verdict};
use crate::bad_arguments::arrange;
use crate::form::{Dim, Form, Kind, Strides, ops};
use crate::num::{Num, Z};
use crate::storage::{Batch, Operand, Place, Role, Site};

impl<B: Backend> Case<'_, B> {
    /// A random value of the case's kind: in [-1, 1), or a small integer.
    pub fn value<T: Num>(&mut self) -> Z {
        let integers = self.integers();
        let sparse = self.rule == Rule::Nan;
        let mut part = || match (integers, sparse) {
            (false, _) => self.rng.unit(),
            (true, false) => self.rng.below(7) as f64 - 3.0,
            (true, true) => [0.0, 1.0, 0.0, -1.0, 2.0][self.rng.below(5)],
        };
        let (re, im) = (part(), if T::COMPLEX { part() } else { 0.0 });
        // Integers where the type has no others.
        if T::UNIT == 0.0 && !integers { Z::new((re * 7.0).round(), 0.0) } else { Z::new(re, im) }
    }

    /// An operand that is read.
    pub fn input<T: Num>(&mut self, name: &'static str, form: Form) -> Operand<T, B> {
        let mut o = self.bare(name, Role::In, form);
        self.fill(&mut o);
        o
    }

    /// An operand that is written, and read where the routine says so.
    pub fn output<T: Num>(&mut self, name: &'static str, form: Form) -> Operand<T, B> {
        let mut o = self.bare(name, Role::Out, form);
        self.fill(&mut o);
        o
    }

    /// A triangular operand that is read, or written in place, and safe to solve with: its inverse is small. With
    /// integers, its inverse has entries -1, 0 and 1 only.
    pub fn solvable<T: Num>(&mut self, name: &'static str, role: Role, form: Form) -> Operand<T, B> {
        let mut o = self.bare::<T>(name, role, form);
        let n = form.rows.n.max(1);
        let integers = self.integers();
        let rng = &mut self.rng;
        // Integers: one element a row besides the diagonal.
        let other: Vec<usize> = (0..n).map(|_| rng.below(n)).collect();
        o.fill(|_, i, j| {
            let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
            match (integers, i == j) {
                (true, true) => Z::new(sign, 0.0),
                (true, false) if other[i] == j => Z::new(sign, 0.0),
                (true, false) => Z::new(0.0, 0.0),
                (false, true) => {
                    Z::new(sign * (1.5 + rng.unit() / 2.0), if T::COMPLEX { rng.unit() } else { 0.0 })
                }
                (false, false) => {
                    let scale = 1.0 / n as f64;
                    Z::new(rng.unit() * scale, if T::COMPLEX { rng.unit() * scale } else { 0.0 })
                }
            }
        });
        o
    }

    /// A site for scalar results, to be shared by all of a call.
    pub fn site(&mut self) -> Site {
        self.pick("results", &[Site::Host, Site::Device])
    }

    /// `n` scalar results (or scalars that are updated), given to the call by [`Operand::out`]. They are elements
    /// (i, 0) of entry 0.
    pub fn scalars<T: Num>(&mut self, name: &'static str, n: usize, site: Site) -> Operand<T, B> {
        let form = Form::vector(Dim::free(name, n));
        let strides = Strides { layout: Layout::Col, ld: 1, inc: 1, both: None };
        let offset = self.rng.below(3);
        let (base, len) = arrange(n, Batch::Single, 1, offset);
        let place = Place { form, op: Trans::N, strides, batch: Batch::Single, base, len, elsewhere: false };
        let mut o = Operand::new(name, Role::Out, place, site, false);
        self.fill(&mut o);
        o
    }

    /// Random values for all elements, with a NaN among them for the rule about NaN.
    fn fill<T: Num>(&mut self, o: &mut Operand<T, B>) {
        o.fill(|_, _, _| self.value::<T>());
        if self.rule == Rule::Nan && T::UNIT > 0.0 && self.rng.below(2) == 0 {
            self.plant(o, Z::new(f64::NAN, 1.0));
        }
    }

    /// Puts a value into one random element of one random entry.
    pub fn plant<T: Num>(&mut self, o: &mut Operand<T, B>, value: Z) {
        let at: Vec<_> = o.place.form.elements().collect();
        if at.is_empty() || o.entries() == 0 {
            return;
        }
        let (i, j) = at[self.rng.below(at.len())];
        let e = self.rng.below(o.entries());
        self.log.push(format!("{}[{e}]({i},{j})={value}", o.name));
        o.set(e, i, j, value);
    }

    /// An operand in drawn storage, all poison.
    pub fn bare<T: Num>(&mut self, name: &'static str, role: Role, form: Form) -> Operand<T, B> {
        let axis = |what: &str| format!("{name}.{what}");
        let op = self.pick(&axis("op"), ops(form.kind, role == Role::Out));
        let stored = if op.is_transposed() { form.t() } else { form };
        let mut strides = Strides { layout: Layout::Col, ld: 1, inc: 1, both: None };
        if form.kind == Kind::Vector && !form.contiguous {
            // Increment 0 is legal on inputs, but in Level 2.
            let zero =
                self.routine.level() != Level::Two && role == Role::In && self.rule != Rule::BadArguments;
            let incs: &[isize] = if zero { &[1, 2, -1, -3, 1, 0] } else { &[1, 2, -1, -3] };
            strides.inc = self.pick(&axis("inc"), incs);
        } else if form.kind != Kind::Vector {
            strides.layout = self.pick(&axis("layout"), &[Layout::Col, Layout::Row]);
        }
        if form.kind.is_full() || form.kind.is_band() {
            strides.ld = Strides::min_ld(&stored, strides.layout) + self.pick(&axis("pad"), &[0, 1, 3, 7]);
        }
        if form.kind.is_full() && (stored.rows.n == 1 || stored.cols.n == 1) {
            // An axis of length 1 has no stride of its own: anything goes.
            let (odd, step) = (self.pick(&axis("odd"), &[0, 3, 1009]), self.pick(&axis("step"), &[1, 5]));
            strides.both = match (stored.rows.n, stored.cols.n) {
                (1, 1) => Some((odd, step * 7)),
                (1, _) => Some((odd, step)),
                _ => Some((step, odd)),
            };
        }
        let span = strides.span(&stored);
        let offset = self.pick(&axis("offset"), &[0, 1, 2, 5]);
        let gap = self.pick(&axis("gap"), &[0, 1, 4]);
        let step = (span.max(1) + gap) as isize;
        let forms: &[Batch] = match (self.batch, role) {
            (0, _) => &[Batch::Strided(step)],
            (1, Role::In) => {
                &[Batch::Single, Batch::Strided(step), Batch::Single, Batch::Broadcast, Batch::Array]
            }
            (1, Role::Out) => &[Batch::Single, Batch::Strided(step), Batch::Single, Batch::Array],
            (_, Role::In) => &[
                Batch::Strided(step),
                Batch::Strided(-step),
                Batch::Strided(0),
                Batch::Broadcast,
                Batch::Array,
            ],
            (_, Role::Out) => &[Batch::Strided(step), Batch::Strided(-step), Batch::Array],
        };
        let batch = self.pick(&axis("batch"), forms);
        let (mut base, len) = arrange(span, batch, self.batch, offset);
        if batch == Batch::Array {
            self.rng.shuffle(&mut base);
            // Inputs may repeat.
            if role == Role::In && base.len() > 1 {
                base[0] = base[1];
            }
        }
        let place = Place { form, op, strides, batch, base, len, elsewhere: false };
        Operand::new(name, role, place, Site::Device, true)
    }

    /// A coefficient. The rules about alpha = 0 and beta = 0 fix those whose name begins so.
    pub fn coef<T: Num>(&mut self, name: &'static str) -> Verdict<Coefficient<T, B>> {
        let general = loop {
            let z = self.value::<T>();
            if z != Z::new(0.0, 0.0) {
                break z;
            }
        };
        let (zero, one) = (Z::new(0.0, 0.0), Z::new(1.0, 0.0));
        let value = match self.rule {
            Rule::Alpha0 if name.starts_with("alpha") => zero,
            Rule::Beta0 if name.starts_with("beta") => zero,
            _ => match self.pick(&format!("{name}.kind"), &["general", "1", "0", "-1", "general"]) {
                "1" => one,
                "0" => zero,
                "-1" => -one,
                _ => general,
            },
        };
        self.coef_of(name, value)
    }

    /// A coefficient of a given value, on the host or on the device.
    pub fn coef_of<T: Num>(&mut self, name: &'static str, value: Z) -> Verdict<Coefficient<T, B>> {
        let host = T::from_z(value);
        self.note(name, host);
        let site = self.pick(&format!("{name}.site"), &[Site::Host, Site::Device]);
        let image = [T::poison(0), T::poison(1), host, T::poison(3)];
        let device = match site {
            Site::Host => None,
            Site::Device => Some(self.handle.upload(&image).map_err(|e| self.failed("upload", &e, "Ok"))?),
        };
        let elsewhere = self.rule == Rule::BadArguments && device.is_some() && self.index % 4 == 3;
        self.coefficient_elsewhere |= elsewhere;
        Ok(Coefficient { host, device, elsewhere })
    }
}

/// A coefficient on the host or on the device.
pub struct Coefficient<T, B> {
    host: T,
    device: Option<Buffer<T, B>>,
    elsewhere: bool,
}

impl<T: Num, B: Backend> Coefficient<T, B> {
    /// For the call.
    pub fn get(&self) -> Result<Coef<'_, T, B>> {
        Ok(match self.device()? {
            Some(s) => Coef::Device(s),
            None => Coef::Host(self.host),
        })
    }

    /// The host value, wherever the coefficient is.
    pub fn host(&self) -> T {
        self.host
    }

    /// Where the coefficient is on the device: its view.
    pub fn device(&self) -> Result<Option<ScalarRef<'_, T, B>>> {
        let Some(buffer) = &self.device else { return Ok(None) };
        let slice = if self.elsewhere { crate::storage::elsewhere(buffer.slice()) } else { buffer.slice() };
        slice.scalar(2).map(Some)
    }

    /// The value.
    pub fn z(&self) -> Z {
        self.host.z()
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.z() == Z::new(0.0, 0.0)
    }
}
