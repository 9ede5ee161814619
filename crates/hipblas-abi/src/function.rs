//! The functions that the table stands for: their names, prototypes and releases.

use crate::table::{Abi, Arg, FAMILIES, Family, Kind, Level, Ty, Typing};

/// How the batch is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// One problem.
    Plain,
    /// Arrays of pointers, in device memory.
    Batched,
    /// A pointer and a distance.
    Strided,
}

impl Form {
    /// All of them, in the order of [`Family::forms`].
    pub const ALL: [Form; 3] = [Form::Plain, Form::Batched, Form::Strided];

    /// The word in a function's name.
    pub const fn word(self) -> &'static str {
        match self {
            Form::Plain => "",
            Form::Batched => "Batched",
            Form::Strided => "StridedBatched",
        }
    }
}

/// One function: an instance of a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its row.
    pub family: &'static Family,
    /// Number of its type in [`Family::types`]; 0 if there are none.
    pub typing: usize,
    /// Its form.
    pub form: Form,
    /// Whether it is a `_64` function.
    pub wide: bool,
}

/// One C parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Name.
    pub name: String,
    /// C type, with `const` left out: it is not part of the ABI, and differs between releases.
    pub c_type: String,
    /// Which argument of the row it belongs to.
    pub arg: usize,
    /// Which part of it.
    pub part: Part,
}

/// The parts that an argument of the table has as C parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The pointer, or the value itself.
    Value,
    /// Data type of an operand.
    Type,
    /// Leading dimension or increment.
    Ld,
    /// Distance of batch entries.
    Stride,
}

/// Number of functions that a family has room for.
const fn room(family: &Family) -> usize {
    let types = if family.types.is_empty() { 1 } else { family.types.len() };
    types * 3 * 2
}

/// Number of slots of [`Function::index`].
pub const SLOTS: usize = {
    let (mut n, mut i) = (0, 0);
    while i < FAMILIES.len() {
        n += room(&FAMILIES[i]);
        i += 1;
    }
    n
};

/// First slot of each family.
const BASES: [usize; FAMILIES.len()] = {
    let mut bases = [0; FAMILIES.len()];
    let mut i = 1;
    while i < FAMILIES.len() {
        bases[i] = bases[i - 1] + room(&FAMILIES[i - 1]);
        i += 1;
    }
    bases
};

impl Family {
    /// Place of the row in the table.
    fn number(&'static self) -> usize {
        // The table is one static slice, and rows are only ever borrowed from it.
        (std::ptr::from_ref(self) as usize - FAMILIES.as_ptr() as usize) / size_of::<Family>()
    }

    /// The row of that name.
    pub fn named(name: &str) -> Option<&'static Family> {
        FAMILIES.iter().find(|f| f.name == name)
    }

    /// Whether the ABI has it.
    pub fn is_in(&self, abi: Abi) -> bool {
        self.abis[0] <= abi && abi <= self.abis[1] && self.since < abi.end()
    }

    /// All functions of the row, of any release.
    pub fn functions(&'static self) -> impl Iterator<Item = Function> {
        let widths: &'static [bool] = if self.wide_since.is_some() { &[false, true] } else { &[false] };
        (0..self.types.len().max(1))
            .flat_map(move |typing| Form::ALL.into_iter().map(move |form| (typing, form)))
            .filter(move |&(_, form)| self.forms[form as usize])
            .flat_map(move |(typing, form)| {
                widths.iter().map(move |&wide| Function { family: self, typing, form, wide })
            })
    }

    /// Whether the first argument is a handle.
    pub fn takes_handle(&self) -> bool {
        self.level != Level::Aux
            || !(self.name.contains("Vector")
                || self.name.contains("Matrix")
                || matches!(self.name, "Create" | "StatusToString" | "GetProperty"))
    }
}

impl Abi {
    /// First release of ROCm that has the next ABI, as major * 100 + minor.
    const fn end(self) -> u32 {
        match self {
            Abi::V0 => 506,
            Abi::V1 => 600,
            Abi::V2 => 700,
            Abi::V3 => u32::MAX,
        }
    }
}

/// All functions of an ABI, in the newest release that has it, without the duplicates that 2.x has under `_v2` names.
pub fn functions(abi: Abi) -> impl Iterator<Item = Function> {
    FAMILIES.iter().filter(move |f| f.is_in(abi)).flat_map(Family::functions).filter(move |f| f.is_in(abi))
}

/// All names that a library of an ABI exports in the newest release that has it, each with its function.
pub fn exports(abi: Abi) -> impl Iterator<Item = (String, Function)> {
    exports_until(abi, u32::MAX)
}

/// As [`exports`], in a release of ROCm, as major * 100 + minor: 702 has the 1,191 names of hipBLAS 3.2.
pub fn exports_until(abi: Abi, release: u32) -> impl Iterator<Item = (String, Function)> {
    functions(abi).filter(move |f| f.since() <= release).flat_map(move |f| {
        let v2 = (abi == Abi::V2 && f.has_v2()).then(|| (f.v2_name(), f));
        std::iter::once((f.name(), f)).chain(v2)
    })
}

impl Function {
    /// Its type, if the name has one.
    pub fn types(&self) -> Option<&'static Typing> {
        self.family.types.get(self.typing)
    }

    /// A number of its own below [`SLOTS`], for tables of pointers.
    pub fn index(&self) -> usize {
        BASES[self.family.number()] + (self.typing * 3 + self.form as usize) * 2 + usize::from(self.wide)
    }

    /// Its name: `hipblasSgemmStridedBatched_64`.
    pub fn name(&self) -> String {
        format!("{}{}", self.stem(), if self.wide { "_64" } else { "" })
    }

    /// The second name that 2.x has for functions whose types changed: `hipblasGemmEx_v2_64`.
    pub fn v2_name(&self) -> String {
        format!("{}_v2{}", self.stem(), if self.wide { "_64" } else { "" })
    }

    fn stem(&self) -> String {
        let prefix = self.types().map_or("", |t| t.prefix);
        format!("hipblas{prefix}{}{}{}", self.family.stem, self.form.word(), self.family.suffix)
    }

    /// Whether 2.x has it under a `_v2` name too: complex functions, whose structs were renamed (the ABI is the
    /// same), and Ex functions, whose data types were renumbered.
    pub fn has_v2(&self) -> bool {
        self.family.level == Level::Ex || self.types().is_some_and(|t| t.elem.is_complex())
    }

    /// The name under which a library of an ABI has it with the types and numbers of 3.x, or the nearest that it has:
    /// see [`old_types`](Self::old_types).
    pub fn name_in(&self, abi: Abi) -> String {
        if abi == Abi::V2 && self.family.level == Level::Ex { self.v2_name() } else { self.name() }
    }

    /// Whether data types under the plain name are numbered as before 3.x.
    pub fn old_types(&self, abi: Abi) -> bool {
        self.family.level == Level::Ex && abi < Abi::V3
    }

    /// First release of ROCm that has it, as major * 100 + minor.
    pub fn since(&self) -> u32 {
        if self.wide { self.family.wide_since.unwrap_or(u32::MAX) } else { self.family.since }
    }

    /// Whether the newest release of an ABI has it.
    pub fn is_in(&self, abi: Abi) -> bool {
        self.family.is_in(abi) && self.since() < abi.end()
    }

    /// The C parameters, with the types of 3.x.
    pub fn params(&self) -> Vec<Param> {
        let mut params = Vec::new();
        if self.family.takes_handle() {
            params.push(param("handle", "hipblasHandle_t", usize::MAX, Part::Value));
        }
        for (i, arg) in self.family.args.iter().enumerate() {
            self.expand(i, arg, &mut params);
        }
        params
    }

    fn expand(&self, i: usize, arg: &Arg, out: &mut Vec<Param>) {
        let name = arg.name;
        let batched = self.form == Form::Batched;
        let int = if self.wide { "int64_t" } else { "int" };
        let mut push = |name: &str, c_type: &str, part| out.push(param(name, c_type, i, part));
        let pointer = |ty: Ty, array: bool| format!("{}{}", self.c_type(ty), if array { "**" } else { "*" });
        let stride = |push: &mut dyn FnMut(&str, &str, Part)| {
            if self.form == Form::Strided {
                push(&format!("stride_{name}"), self.family.stride, Part::Stride);
            }
        };
        match arg.kind {
            Kind::Enum(t) | Kind::Raw(t) => push(name, &t.replace("const ", ""), Part::Value),
            Kind::Size => push(name, int, Part::Value),
            Kind::Scalar(ty) | Kind::Out(ty) => push(name, &pointer(ty, false), Part::Value),
            Kind::Operand(ty, ld) => {
                push(name, &pointer(ty, batched), Part::Value);
                if ty == Ty::Void {
                    push(&format!("{name}_type"), "hipDataType", Part::Type);
                }
                push(ld, int, Part::Ld);
                stride(&mut push);
            }
            Kind::Opaque(ld) | Kind::Untyped(ld) => {
                push(name, "void*", Part::Value);
                if matches!(arg.kind, Kind::Opaque(_)) {
                    push(&format!("{name}_type"), "hipDataType", Part::Type);
                }
                push(ld, int, Part::Ld);
                stride(&mut push);
            }
            Kind::Array(ty) => {
                push(name, &pointer(ty, batched), Part::Value);
                stride(&mut push);
            }
            Kind::Pivots => {
                push(name, "int*", Part::Value);
                stride(&mut push);
            }
            Kind::Batch => {
                if self.form != Form::Plain {
                    push(name, int, Part::Value);
                }
            }
            Kind::Inverse => {
                push(name, "void*", Part::Value);
                push(&format!("{name}_size"), int, Part::Ld);
                stride(&mut push);
            }
            Kind::Type => push(name, "hipDataType", Part::Value),
            Kind::Compute => push(name, "hipblasComputeType_t", Part::Value),
            Kind::Flags => push(name, "hipblasGemmFlags_t", Part::Value),
            Kind::Groups(t) => push(name, &format!("{}*", if t == "int" { int } else { t }), Part::Value),
        }
    }

    fn c_type(&self, ty: Ty) -> &'static str {
        let types = self.types();
        match (ty, types) {
            (Ty::T, Some(t)) => t.elem.c_name(),
            (Ty::Real, Some(t)) => t.elem.real().c_name(),
            (Ty::Second, Some(t)) => t.second.c_name(),
            (Ty::Int, _) => "int",
            (Ty::Index, _) if self.wide => "int64_t",
            (Ty::Index, _) => "int",
            _ => "void",
        }
    }

    /// What it returns.
    pub fn returns(&self) -> &'static str {
        if self.family.name == "StatusToString" { "char*" } else { "hipblasStatus_t" }
    }

    /// Its C prototype in 3.x, `const` left out.
    pub fn prototype(&self) -> String {
        let params: Vec<String> = self.params().iter().map(|p| format!("{} {}", p.c_type, p.name)).collect();
        format!("{} {}({})", self.returns(), self.name(), params.join(", "))
    }
}

fn param(name: &str, c_type: &str, arg: usize, part: Part) -> Param {
    Param { name: name.to_owned(), c_type: c_type.to_owned(), arg, part }
}
