//! Bad arguments: faults put into an operand one at a time, each with the error that it must give.

use blas_api::{Error, Level};

use crate::form::{Dim, Form, Kind, Strides, Tie};
use crate::storage::{Batch, GUARD, Place, Role};

/// A fault put into an operand on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Rows,
    Cols,
    Order,
    Batch,
    Increment,
    LeadingDimension,
    Strides,
    Short,
    Device,
    Overlap,
    Huge,
}

impl Fault {
    pub(crate) const ALL: [Fault; 11] = [
        Fault::Rows,
        Fault::Cols,
        Fault::Order,
        Fault::Batch,
        Fault::Increment,
        Fault::LeadingDimension,
        Fault::Strides,
        Fault::Short,
        Fault::Device,
        Fault::Overlap,
        Fault::Huge,
    ];

    /// Whether the error is the one that the fault must give.
    pub(crate) fn explains(self, e: &Error) -> bool {
        match self {
            Fault::Rows | Fault::Cols | Fault::Order => matches!(e, Error::Shape { .. }),
            Fault::Batch => matches!(e, Error::BatchCount { .. }),
            Fault::Increment => matches!(e, Error::Increment { .. }),
            Fault::LeadingDimension => matches!(e, Error::LeadingDimension { .. }),
            Fault::Strides => matches!(e, Error::Strides { .. }),
            // A host slice for results tells how many it has room for.
            Fault::Short => matches!(e, Error::TooShort { .. } | Error::BatchCount { .. }),
            Fault::Device => matches!(e, Error::WrongDevice { .. }),
            Fault::Overlap => matches!(e, Error::Overlap { .. }),
            Fault::Huge => matches!(e, Error::Overflow { .. } | Error::TooShort { .. }),
        }
    }

    /// Whether it is an error at all in this call: `tied` tells of a size whether other operands fix it, `batches`
    /// is the number of operands that have batch entries.
    pub(crate) fn applies(
        self,
        form: &Form,
        role: Role,
        level: Level,
        tied: impl Fn(Dim) -> bool,
        batches: usize,
    ) -> bool {
        let square = !matches!(form.kind, Kind::Vector | Kind::Mat | Kind::Band);
        match self {
            Fault::Rows => square || tied(form.rows),
            Fault::Cols => tied(form.cols),
            Fault::Order => tied(form.rows),
            Fault::Batch => batches > 1,
            Fault::Increment => form.contiguous || role == Role::Out || level == Level::Two,
            _ => true,
        }
    }
}

/// Whether a size is fixed by the other operands, given all sizes of the call.
pub(crate) fn tied(dim: Dim, all: &[Dim]) -> bool {
    match dim.tie {
        Tie::Bound => true,
        Tie::Free => false,
        Tie::ByName => all.iter().filter(|d| d.name == dim.name).count() > 1,
    }
}

/// Offsets of the entries and the length of the buffer.
pub(crate) fn arrange(span: usize, batch: Batch, count: usize, offset: usize) -> (Vec<usize>, usize) {
    let start = GUARD + offset;
    let base: Vec<usize> = match batch {
        Batch::Single => vec![start],
        Batch::Broadcast => vec![start; count],
        Batch::Strided(stride) => {
            let step = stride.unsigned_abs();
            let at = |e: usize| start + step * if stride < 0 { count - 1 - e } else { e };
            (0..count).map(at).collect()
        }
        Batch::Array => (0..count).map(|e| start + e * (span + 1)).collect(),
    };
    let end = base.iter().max().copied().unwrap_or(start) + span;
    (base, end + GUARD)
}

/// The place with a fault in it; None where the operand cannot have it.
pub(crate) fn apply(old: &Place, fault: Fault, role: Role) -> Option<Place> {
    let mut p = old.clone();
    let kind = p.form.kind;
    let square = !matches!(kind, Kind::Vector | Kind::Mat | Kind::Band);
    let count = p.base.len();
    match fault {
        Fault::Rows if kind.is_full() || !square => p.form.rows.n += 1,
        Fault::Cols if matches!(kind, Kind::Mat | Kind::Band) => p.form.cols.n += 1,
        Fault::Order if square => {
            p.form.rows.n += 1;
            p.form.cols.n += 1;
        }
        Fault::Batch => {
            p.batch = if role == Role::In { Batch::Broadcast } else { Batch::Strided(0) };
            return Some(rearranged(p, count + 1));
        }
        Fault::Increment if p.form.contiguous && p.form.rows.n > 1 => {
            p.strides.inc = 2;
            return Some(rearranged(p, count));
        }
        Fault::Increment if kind == Kind::Vector && p.form.rows.n > 1 => {
            p.strides.inc = 0;
            return Some(p);
        }
        Fault::LeadingDimension if kind.is_full() || kind.is_band() => {
            let min = Strides::min_ld(&p.stored(), p.strides.layout);
            p.strides.both = None;
            p.strides.ld = min.checked_sub(1).filter(|&ld| ld > 0)?;
            return Some(p);
        }
        Fault::Strides if kind.is_full() && p.form.rows.n > 1 && p.form.cols.n > 1 => {
            p.strides.both = Some((2, 2 * p.stored().rows.n + 1));
            return Some(rearranged(p, count));
        }
        Fault::Short if p.span() > 0 => {
            p.len = p.base.iter().max()? + p.span() - 1;
            return Some(p);
        }
        Fault::Device => {
            p.elsewhere = true;
            return Some(p);
        }
        Fault::Overlap if role == Role::Out && count > 1 => {
            p.batch = Batch::Broadcast;
            return Some(p);
        }
        Fault::Huge => {
            let n = usize::MAX / 2;
            p.form.rows.n = n;
            if kind != Kind::Vector {
                p.form.cols.n = n;
            }
            p.strides.inc = 3;
            p.strides.both = None;
            p.strides.ld = n;
            p.batch = Batch::Single;
            p.base.truncate(1);
            return (!p.base.is_empty()).then_some(p);
        }
        _ => return None,
    }
    // A size has changed: the same padding as before, and storage enough for the new size.
    let pad = old.strides.ld.saturating_sub(Strides::min_ld(&old.stored(), old.strides.layout));
    p.strides.both = None;
    p.strides.ld = Strides::min_ld(&p.stored(), p.strides.layout) + pad;
    Some(rearranged(p, count))
}

/// The place with its entries laid out anew.
fn rearranged(mut p: Place, count: usize) -> Place {
    let span = p.span();
    if matches!(p.batch, Batch::Strided(_)) {
        p.batch = Batch::Strided(span as isize + 2);
    }
    (p.base, p.len) = arrange(span, p.batch, count, 0);
    p
}
