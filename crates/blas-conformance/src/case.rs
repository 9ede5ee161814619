//! One case: what a case file draws its parameters from, runs and compares with.

use blas_api::*;

use crate::faults::{Fault, arrange, tied};
use crate::form::{Dim, Form, Kind, Strides, Tie, ops};
use crate::num::{Num, Z};
use crate::oracle::{Acc, Bound};
use crate::rng::{Rng, mix};
use crate::storage::{Batch, FaultBox, Operand, Operands, Place, Role, Site};

/// What a case checks; the name is that of [`Deviation::rule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Random values, within the error bound.
    Accuracy,
    /// Small integers, no rounding at all.
    Exact,
    /// beta = 0: the output is not read.
    Beta0,
    /// alpha = 0: the inputs are not read.
    Alpha0,
    /// The inner dimension `k` is 0.
    K0,
    /// Some dimensions, or the batch, are empty.
    Empty,
    /// NaN in operands, zeros against it.
    Nan,
    /// Every illegal argument gives its typed error, and nothing is written.
    BadArguments,
    /// The same call twice gives the same bits under [`Determinism::Required`].
    Determinism,
    /// A rule of the routine's own.
    Own(&'static str),
}

impl Rule {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Accuracy => "accuracy",
            Rule::Exact => "exact",
            Rule::Beta0 => "beta0",
            Rule::Alpha0 => "alpha0",
            Rule::K0 => "k0",
            Rule::Empty => "empty",
            Rule::Nan => "nan",
            Rule::BadArguments => "bad_arguments",
            Rule::Determinism => "determinism",
            Rule::Own(name) => name,
        }
    }

    /// Cases in a quick run.
    pub(crate) const fn quick(self) -> usize {
        match self {
            Rule::Accuracy => 24,
            Rule::Exact => 12,
            Rule::Beta0 | Rule::Alpha0 | Rule::Empty | Rule::Nan => 6,
            Rule::K0 => 3,
            Rule::BadArguments => 4,
            Rule::Determinism => 2,
            Rule::Own(_) => 6,
        }
    }
}

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// A sample of the cross product of all axes; under a minute on two CPU cores.
    #[default]
    Quick,
    /// A sample some eight times as large, with larger sizes.
    Full,
}

/// A check that did not hold.
#[derive(Clone, Debug)]
pub struct Fail {
    pub(crate) check: &'static str,
    pub(crate) got: String,
    pub(crate) want: String,
}

/// Why a case ends before its last line.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It has shown what it was for.
    Done,
    /// It has failed.
    Failed(Fail),
}

/// What a case gives: nothing, or the reason to stop. `?` hands it on.
pub type Verdict<T = ()> = std::result::Result<T, Stop>;

/// One case of a cell: a source of parameters, and what runs and checks the call.
pub struct Case<'h, B: Backend> {
    handle: &'h Handle<B>,
    routine: Routine,
    types: Types,
    rule: Rule,
    index: u64,
    depth: Depth,
    seed: u64,
    rng: Rng,
    log: Vec<String>,
    batch: usize,
    volume: usize,
    sizes: Vec<usize>,
    /// An error that the call must give for a coefficient on the wrong device.
    coefficient_elsewhere: bool,
}

impl<'h, B: Backend> Case<'h, B> {
    pub(crate) fn new(
        handle: &'h Handle<B>,
        (routine, types): (Routine, Types),
        rule: Rule,
        index: u64,
        depth: Depth,
        seed: u64,
    ) -> Self {
        let rng = Rng::new(mix(seed, &index.to_string()));
        let (log, sizes) = (Vec::new(), Vec::new());
        let mut case = Case {
            handle,
            routine,
            types,
            rule,
            index,
            depth,
            seed,
            rng,
            log,
            batch: 1,
            volume: 1,
            sizes,
            coefficient_elsewhere: false,
        };
        let counts: &[usize] = match rule {
            Rule::Empty => &[1, 0, 2, 1],
            _ => &[1, 2, 1, 3, 1, 1, 5],
        };
        case.batch = case.pick("batch", counts);
        case.volume = case.batch.max(1);
        case
    }

    /// All parameters drawn so far, for the report.
    pub(crate) fn description(&self) -> String {
        self.log.join(" ")
    }

    /// The rule that the case is for.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The routine.
    pub fn routine(&self) -> Routine {
        self.routine
    }

    /// The types of the cell.
    pub fn types(&self) -> Types {
        self.types
    }

    /// Number of batch entries.
    pub fn batch(&self) -> usize {
        self.batch
    }

    /// Makes the call unbatched; to be called before any operand is made.
    pub fn unbatched(&mut self) {
        self.batch = 1;
        self.log.push("unbatched".to_owned());
    }

    /// The case's own random numbers.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// Whether all data are small integers, so that results must be exact.
    pub fn integers(&self) -> bool {
        matches!(self.rule, Rule::Exact | Rule::Nan)
    }

    /// Whether this is a case of [`Depth::Full`].
    pub fn is_full(&self) -> bool {
        self.depth == Depth::Full
    }

    /// Notes a parameter for the report.
    pub fn note(&mut self, name: &str, value: impl std::fmt::Debug) {
        self.log.push(format!("{name}={value:?}"));
    }

    /// The value of an axis: over the cases of a rule, all values come equally often, in an order of the axis' own.
    pub fn pick<T: Copy + std::fmt::Debug>(&mut self, axis: &str, values: &[T]) -> T {
        let n = values.len() as u64;
        let mut deck: Vec<T> = values.to_vec();
        Rng::new(mix(self.seed, axis) ^ (self.index / n)).shuffle(&mut deck);
        let value = deck[(self.index % n) as usize];
        self.note(axis, value);
        value
    }

    /// A triangle.
    pub fn uplo(&mut self) -> Uplo {
        self.pick("uplo", &[Uplo::Lower, Uplo::Upper])
    }

    /// A diagonal.
    pub fn diag(&mut self) -> Diag {
        self.pick("diag", &[Diag::NonUnit, Diag::Unit])
    }

    /// A side.
    pub fn side(&mut self) -> Side {
        self.pick("side", &[Side::Left, Side::Right])
    }

    /// A size, by name. Sizes of a case differ from each other, mostly.
    pub fn dim(&mut self, name: &'static str) -> Dim {
        let n = self.size(name);
        self.log.push(format!("{name}={n}"));
        Dim { name, n, tie: Tie::ByName }
    }

    fn size(&mut self, name: &str) -> usize {
        let silent = self.log.len();
        let n = match self.rule {
            Rule::K0 if name == "k" => return 0,
            Rule::Empty if self.rng.below(2) == 0 => return 0,
            Rule::Empty => 1 + self.rng.below(5),
            Rule::BadArguments => 3 + self.rng.below(6),
            _ => self.pick(name, self.size_axis()),
        };
        self.log.truncate(silent);
        let (cap, square) = match self.depth {
            Depth::Quick => (120_000, self.rng.below(8) == 0),
            Depth::Full => (1_500_000, self.rng.below(8) == 0),
        };
        let mut n = n.min((cap / self.volume).max(2));
        if !(square && self.rule != Rule::BadArguments) {
            while self.sizes.contains(&n) {
                n += 1;
            }
        }
        self.sizes.push(n);
        self.volume = self.volume.saturating_mul(n.max(1));
        n
    }

    fn size_axis(&self) -> &'static [usize] {
        const ONE: &[usize] = &[
            1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257,
            1000, 1025, 4099, 10007, 40009,
        ];
        const TWO: &[usize] = &[
            1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 47, 63, 64, 65, 67, 100, 129, 193, 257, 300,
        ];
        const THREE: &[usize] = &[
            1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 49, 63, 64, 65, 67, 96, 129, 193,
            257,
        ];
        let (all, quick) = match self.routine.level() {
            Level::One => (ONE, ONE.len() - 2),
            Level::Two => (TWO, TWO.len() - 3),
            _ => (THREE, THREE.len() - 2),
        };
        if self.depth == Depth::Full { all } else { &all[..quick] }
    }

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

    /// A failure of the case's rule.
    pub fn failed(&self, check: &'static str, got: &dyn std::fmt::Display, want: &str) -> Stop {
        Stop::Failed(Fail { check, got: got.to_string(), want: want.to_owned() })
    }

    /// Fails unless `holds`.
    pub fn ensure(&self, holds: bool, got: impl std::fmt::Debug, want: impl std::fmt::Debug) -> Verdict {
        if holds {
            Ok(())
        } else {
            Err(self.failed(self.rule.name(), &format!("{got:?}"), &format!("{want:?}")))
        }
    }

    /// Runs the call on its operands and checks that nothing but the outputs' elements was written. Under the rule
    /// about bad arguments, runs it once for each fault of each operand, and ends the case.
    pub fn run<O: Operands<B>>(
        &mut self,
        operands: &mut O,
        mut call: impl FnMut(&Handle<B>, &mut O) -> Result,
    ) -> Verdict {
        if self.rule == Rule::BadArguments {
            self.bad_arguments(operands, &mut call)?;
            return Err(Stop::Done);
        }
        if self.rule == Rule::Determinism {
            return self.determinism(operands, &mut call);
        }
        self.run_once(operands, &mut call)
    }

    fn run_once<O: Operands<B>>(
        &mut self,
        operands: &mut O,
        call: &mut dyn FnMut(&Handle<B>, &mut O) -> Result,
    ) -> Verdict {
        let h = self.handle;
        let check = self.rule.name();
        self.upload(operands)?;
        call(h, operands).map_err(|e| self.failed(check, &format!("Err({e})"), "Ok"))?;
        self.download(operands, true)
    }

    fn upload<O: Operands<B>>(&self, operands: &mut O) -> Verdict {
        let mut result = Ok(());
        operands.each(&mut |o| {
            if result.is_ok() {
                result = o.upload(self.handle).map_err(|e| self.failed("upload", &e, "Ok"));
            }
        });
        result
    }

    fn download<O: Operands<B>>(&self, operands: &mut O, may_write: bool) -> Verdict {
        self.handle.sync().map_err(|e| self.failed("sync", &e, "Ok"))?;
        let mut result = Ok(());
        operands.each(&mut |o| {
            if result.is_err() {
                return;
            }
            if let Err(e) = o.download(self.handle) {
                result = Err(self.failed("download", &e, "Ok"));
            } else if let Some(stray) = o.stray_write(may_write) {
                result = Err(self.failed("untouched", &stray, "no element outside the output changed"));
            }
        });
        result
    }

    fn determinism<O: Operands<B>>(
        &mut self,
        operands: &mut O,
        call: &mut dyn FnMut(&Handle<B>, &mut O) -> Result,
    ) -> Verdict {
        let policy = self.handle.policy();
        let set = |p: Result| p.map_err(|e| self.failed("determinism", &e, "the policy is accepted"));
        set(self.handle.set_determinism(Determinism::Required))?;
        let mut runs = Vec::new();
        let mut result = Ok(());
        for _ in 0..2 {
            result = result.and_then(|()| self.run_once(operands, call));
            let mut bits = Vec::new();
            operands.each(&mut |o| bits.push(o.bits()));
            runs.push(bits);
        }
        let restored = self.handle.set_policy(policy);
        result?;
        restored.map_err(|e| self.failed("determinism", &e, "the policy is accepted"))?;
        if runs[0] != runs[1] {
            return Err(self.failed("determinism", &"different bits in the second run", "the same bits"));
        }
        Ok(())
    }

    fn bad_arguments<O: Operands<B>>(
        &mut self,
        operands: &mut O,
        call: &mut dyn FnMut(&Handle<B>, &mut O) -> Result,
    ) -> Verdict {
        if self.coefficient_elsewhere {
            let wrong = |e: &Error| matches!(e, Error::WrongDevice { .. });
            return self.must_refuse(operands, call, "coefficient on another device", wrong);
        }
        let mut forms = Vec::new();
        operands.each(&mut |o| forms.push((o.name(), o.form(), o.role(), o.batched())));
        let dims: Vec<Dim> = forms
            .iter()
            .flat_map(|(_, f, ..)| if f.rows == f.cols { vec![f.rows] } else { vec![f.rows, f.cols] })
            .collect();
        let batches = forms.iter().filter(|f| f.3).count();
        for (i, (name, form, role, _)) in forms.iter().enumerate() {
            for fault in Fault::ALL {
                if !fault.applies(form, *role, self.routine.level(), |d| tied(d, &dims), batches) {
                    continue;
                }
                let mut undo = None;
                nth(operands, i, &mut |o| undo = o.fault(FaultBox(fault)));
                let Some(undo) = undo else { continue };
                let what = format!("{fault:?} fault in {name}");
                self.must_refuse(operands, call, &what, |e| fault.explains(e))?;
                let mut undo = Some(undo);
                nth(operands, i, &mut |o| {
                    if let Some(u) = undo.take() {
                        o.undo(u);
                    }
                });
            }
        }
        Ok(())
    }

    /// The call must give an error that `explains` accepts and that names where it comes from, and write nothing.
    fn must_refuse<O: Operands<B>>(
        &mut self,
        operands: &mut O,
        call: &mut dyn FnMut(&Handle<B>, &mut O) -> Result,
        what: &str,
        explains: impl Fn(&Error) -> bool,
    ) -> Verdict {
        self.upload(operands)?;
        let want = format!("the typed error for: {what}");
        match call(self.handle, operands) {
            Err(e) if explains(&e) => {}
            Err(e) => return Err(self.failed("bad_arguments", &format!("Err({e:?})"), &want)),
            Ok(()) => return Err(self.failed("bad_arguments", &"Ok", &want)),
        }
        self.download(operands, false)
    }

    /// Whether a call fails with a certain error; for rules of a routine's own.
    pub fn refuses(&self, result: Result, what: &str, explains: impl Fn(&Error) -> bool) -> Verdict {
        match result {
            Err(e) if explains(&e) => Ok(()),
            other => Err(self.failed(self.rule.name(), &format!("{other:?}"), what)),
        }
    }

    /// The bound of results of type `T` in this cell's arithmetic.
    pub fn bound<T: Num>(&self) -> Bound {
        let compute = match self.types {
            Types::One(t) => GemmTypes::plain(t).compute,
            Types::Gemm(g) => g.compute,
            _ => Compute::F64,
        };
        let unit = match compute {
            Compute::F32 => f32::UNIT,
            Compute::F64 => f64::UNIT,
            _ => 0.0,
        };
        Bound {
            unit,
            storage: (T::UNIT, T::TINY),
            complex: T::COMPLEX,
            exact: self.integers() || unit == 0.0,
        }
    }

    /// Compares every stored element of an output with the oracle's value for (entry, row, column).
    pub fn compare<T: Num>(
        &self,
        o: &Operand<T, B>,
        oracle: impl FnMut(usize, usize, usize) -> Acc,
    ) -> Verdict {
        self.compare_within(&self.bound::<T>(), o, oracle)
    }

    /// As [`compare`](Self::compare) with another bound.
    pub fn compare_within<T: Num>(
        &self,
        bound: &Bound,
        o: &Operand<T, B>,
        mut oracle: impl FnMut(usize, usize, usize) -> Acc,
    ) -> Verdict {
        let mut worst: Option<(f64, String, String)> = None;
        let mut count = 0usize;
        for e in 0..o.entries() {
            for (i, j) in o.place.form.elements() {
                let acc = oracle(e, i, j);
                let Some(excess) = self.excess(bound, o, (e, i, j), &acc) else { continue };
                count += 1;
                if worst.as_ref().is_none_or(|w| excess > w.0) {
                    let got = format!("{}[{e}]({i},{j}) = {:?}", o.name, o.raw_after(e, i, j).0);
                    let want = format!("{} within {:e}", acc.z(), bound.of(&acc));
                    worst = Some((excess, got, want));
                }
            }
        }
        match worst {
            None => Ok(()),
            Some((_, got, want)) => {
                Err(self.failed(self.rule.name(), &format!("{got} ({count} elements wrong)"), &want))
            }
        }
    }

    /// By what factor an element is outside its bound; None if it is inside.
    fn excess<T: Num>(
        &self,
        bound: &Bound,
        o: &Operand<T, B>,
        (e, i, j): (usize, usize, usize),
        acc: &Acc,
    ) -> Option<f64> {
        let (raw, changed) = o.raw_after(e, i, j);
        let (got, want) = (o.after(e, i, j), acc.z());
        if !changed && acc.idle {
            return None;
        }
        // The imaginary diagonal of a Hermitian output, which `after` leaves out.
        if o.place.form.kind.is_hermitian() && i == j && T::COMPLEX && raw.z().im != 0.0 {
            return Some(f64::INFINITY);
        }
        let nan = |z: Z| z.re.is_nan() || z.im.is_nan();
        if nan(want) || nan(got) {
            return (nan(want) != nan(got)).then_some(f64::INFINITY);
        }
        let limit = bound.of(acc);
        let rounded = T::from_z(want).z();
        let part = |got: f64, want: crate::dd::Dd, rounded: f64| {
            if got == rounded {
                return 0.0;
            }
            let error = (want - crate::dd::Dd::from(got)).abs().hi;
            if got.is_infinite() || rounded.is_infinite() || error.is_nan() { f64::INFINITY } else { error }
        };
        let error = part(got.re, acc.re, rounded.re).max(part(got.im, acc.im, rounded.im));
        (error > limit).then(|| error / limit)
    }

    /// Checks residuals in place of values: every sum must be 0 within its bound.
    pub fn residual<T: Num>(
        &self,
        o: &Operand<T, B>,
        mut residual: impl FnMut(usize, usize, usize) -> Acc,
    ) -> Verdict {
        let bound = Bound { exact: false, ..self.bound::<T>() };
        for e in 0..o.entries() {
            for (i, j) in o.place.form.elements() {
                let acc = residual(e, i, j);
                let limit = 2.0 * (bound.of(&acc) + bound.storage.0 * acc.mag);
                // Part by part: the maximum of two numbers leaves a NaN out. An infinite part is outside any bound.
                let within = |part: f64| part.is_finite() && part.abs() <= limit;
                if !(within(acc.re.hi) && within(acc.im.hi)) {
                    let size = acc.z();
                    let got = format!("residual {size:e} of {}[{e}]({i},{j}) = {}", o.name, o.after(e, i, j));
                    return Err(self.failed(self.rule.name(), &got, &format!("at most {limit:e}")));
                }
            }
        }
        Ok(())
    }
}

/// Calls `f` with operand `i`.
fn nth<B: Backend, O: Operands<B>>(
    operands: &mut O,
    i: usize,
    f: &mut dyn FnMut(&mut dyn crate::storage::AnyOperand<B>),
) {
    let mut at = 0;
    operands.each(&mut |o| {
        if at == i {
            f(o);
        }
        at += 1;
    });
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
