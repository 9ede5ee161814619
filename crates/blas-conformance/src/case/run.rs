//! How a case makes its call: once, twice over, or with every fault.

use blas_api::*;

use super::{Case, Rule, Stop, Verdict};
use crate::bad_arguments::{Fault, tied};
use crate::form::Dim;
use crate::rng::digest;
use crate::storage::{AnyOperand, FaultBox, Operands};

impl<B: Backend> Case<'_, B> {
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
            } else {
                let bits = o.bits().into_iter().flatten();
                self.digest.set(bits.fold(self.digest.get(), digest));
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
}

/// Calls `f` with operand `i`.
fn nth<B: Backend, O: Operands<B>>(operands: &mut O, i: usize, f: &mut dyn FnMut(&mut dyn AnyOperand<B>)) {
    let mut at = 0;
    operands.each(&mut |o| {
        if at == i {
            f(o);
        }
        at += 1;
    });
}
