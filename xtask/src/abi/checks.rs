//! The comparisons. Each says what differs, one line a difference.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::{offset_of, size_of};

use hipblas_abi::hip::{self, PointerAttributes, PropertyLayout};
use hipblas_abi::{Abi, Function, exports_until};
use serde::Serialize;

use super::header::{Header, Prototype};
use super::{Check, Release};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
/// Names that a library exports, with their versions.
type Exports = BTreeMap<String, Option<String>>;

/// Names of hipBLAS that the table has.
#[derive(Serialize)]
pub(super) struct Coverage {
    /// Names that the library exports.
    pub exports: usize,
    /// Those that the table has.
    pub in_table: usize,
    /// Those without a suffix, that end in `_64`, and with `_v2`.
    pub plain: usize,
    pub wide: usize,
    pub v2: usize,
}

/// The names that the table has of a release.
fn table(release: &Release) -> impl Iterator<Item = (String, Function)> {
    exports_until(release.abi, release.number())
}

pub(super) fn coverage(release: &Release, exports: &Exports) -> Coverage {
    let known: Vec<String> =
        table(release).map(|(name, _)| name).filter(|n| exports.contains_key(n)).collect();
    let v2 = known.iter().filter(|n| n.contains("_v2")).count();
    let wide = known.iter().filter(|n| n.ends_with("_64") && !n.contains("_v2")).count();
    Coverage {
        exports: exports.keys().filter(|n| n.starts_with("hipblas")).count(),
        in_table: known.len(),
        plain: known.len() - v2 - wide,
        wide,
        v2,
    }
}

/// Every name of the table is exported, and every hipBLAS name exported is in the table.
pub(super) fn names(release: &Release, exports: &Exports) -> Check {
    let ours: BTreeSet<String> = table(release).map(|(name, _)| name).collect();
    let theirs: BTreeSet<String> = exports.keys().filter(|n| n.starts_with("hipblas")).cloned().collect();
    let missing = ours.difference(&theirs).map(|n| format!("{n} is not in the library"));
    let extra = theirs.difference(&ours).map(|n| format!("{n} is not in the table"));
    Check {
        name: "names",
        passed: ours.intersection(&theirs).count(),
        differences: missing.chain(extra).collect(),
    }
}

/// Every prototype of the header is that of the table.
pub(super) fn signatures(release: &Release, header: &Header) -> Check {
    let mut check = Check::new("signatures");
    for (name, function) in table(release) {
        check.compare(&name, header.functions.get(&name), &expected(release.abi, &name, &function));
    }
    check
}

/// A function's prototype in the words of a release.
fn expected(abi: Abi, name: &str, function: &Function) -> Prototype {
    let is_v2 = name == function.v2_name();
    let word = |word: &str| {
        match word {
            // The struct of a complex number was hipBLAS's own, laid out as HIP's.
            "hipComplex" if abi < Abi::V3 && !is_v2 => "hipblasComplex",
            "hipDoubleComplex" if abi < Abi::V3 && !is_v2 => "hipblasDoubleComplex",
            "hipDataType" | "hipblasComputeType_t" if function.old_types(abi) && !is_v2 => {
                "hipblasDatatype_t"
            }
            other => other,
        }
        .to_owned()
    };
    let c_type = |t: &str| {
        let base = t.trim_end_matches('*');
        word(base) + &t[base.len()..]
    };
    Prototype {
        returns: function.returns().to_owned(),
        params: function.params().iter().map(|p| c_type(&p.c_type)).collect(),
    }
}

/// Every constant of the table has its number in the header, and the other way round for types that hipBLAS owns.
pub(super) fn enums(header: &Header) -> Result<Check> {
    use hipblas_abi as abi;
    macro_rules! modules {
        ($($module:ident)*) => { [$((abi::$module::C_TYPE, abi::$module::ALL)),*] };
    }
    let types = modules! {
        status operation fill diag side pointer_mode atomics gemm_algo gemm_flags math compute property int8 old_data_type
        data_type
    };
    let mut constants = Vec::new();
    let mut unknown = Vec::new();
    for (c_type, ours) in types {
        // Types come and go; a type that is there has all of its constants.
        let Some(theirs) = header.enums.get(c_type) else { continue };
        constants.extend(ours.iter().map(|&(name, value)| (name.to_owned(), i64::from(value))));
        if c_type.starts_with("hipblas") {
            let extra = theirs.iter().filter(|e| !ours.iter().any(|(name, _)| name == e));
            unknown.extend(extra.map(|e| format!("{c_type}: {e} is not in the table")));
        }
    }
    let mut check = Check::of_values("enums", header, &constants)?;
    check.differences.append(&mut unknown);
    Ok(check)
}

/// Every HIP function of the table that the release has is exported, with its symbol version.
pub(super) fn hip_names(release: &Release, exports: &Exports) -> Check {
    let mut check = Check::new("HIP names and versions");
    for (name, version, _) in hip_functions(release) {
        match exports.get(name) {
            Some(Some(v)) if v == version => check.passed += 1,
            Some(v) => check.differences.push(format!("{name}: version {v:?}, in the table {version}")),
            None => check.differences.push(format!("{name} is not in the library")),
        }
    }
    check
}

pub(super) fn hip_signatures(release: &Release, header: &Header) -> Check {
    let mut check = Check::new("HIP signatures");
    for (name, _, params) in hip_functions(release) {
        // From 6.0 the header turns this name into that of the new layout's function.
        if name == "hipGetDeviceProperties" && header.is_macro(name) {
            continue;
        }
        let names_an_error = matches!(name, "hipGetErrorName" | "hipGetErrorString");
        let expected = Prototype {
            returns: if names_an_error { "char*" } else { "hipError_t" }.to_owned(),
            params: params.split(", ").filter(|p| !p.is_empty()).map(str::to_owned).collect(),
        };
        check.compare(name, header.functions.get(name), &expected);
    }
    check
}

/// The functions of the table that a release has.
fn hip_functions(release: &Release) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    hip::FUNCTIONS.iter().copied().filter(|(_, version, _)| {
        let mut since = version.trim_start_matches("hip_").split('.').map_while(|n| n.parse().ok());
        since.next().zip(since.next()) <= Some(release.hip)
    })
}

pub(super) fn hip_constants(release: &Release, header: &Header) -> Result<Check> {
    let is_younger = |value| {
        hip::attribute::YOUNGER.iter().any(|&(v, since)| i64::from(v) == value && since > release.hip)
    };
    let attributes = hip::attribute::ALL.iter().filter(|(_, value)| !is_younger(*value));
    let lists = [hip::memcpy::ALL, hip::flag::ALL].into_iter().flatten().chain(attributes);
    let errors = hip::error::ALL.iter().map(|&(name, value, _)| (name, i64::from(value)));
    let (host, device, managed) = hip::memory_type::of(release.abi.hip_major());
    let memory =
        [("hipMemoryTypeHost", host), ("hipMemoryTypeDevice", device), ("hipMemoryTypeManaged", managed)];
    let memory = memory.into_iter().map(|(name, value)| (name, i64::from(value)));
    let constants = lists.copied().chain(errors).chain(memory);
    let constants: Vec<_> = constants.map(|(name, value)| (name.to_owned(), value)).collect();
    Check::of_values("HIP constants", header, &constants)
}

/// Sizes and offsets of the structs that HIP fills.
pub(super) fn layouts(release: &Release, header: &Header) -> Result<Check> {
    let (name, layout) = if release.abi.hip_major() < 6 {
        ("hipDeviceProp_t", hip::PROPERTIES_OLD)
    } else {
        ("hipDeviceProp_tR0600", hip::PROPERTIES_R0600)
    };
    let mut expected = properties(name, layout);
    let attributes = "hipPointerAttribute_t";
    let fields = [
        ("type", offset_of!(PointerAttributes, kind)),
        ("device", offset_of!(PointerAttributes, device)),
        ("devicePointer", offset_of!(PointerAttributes, device_pointer)),
        ("hostPointer", offset_of!(PointerAttributes, host_pointer)),
        ("isManaged", offset_of!(PointerAttributes, is_managed)),
        ("allocationFlags", offset_of!(PointerAttributes, allocation_flags)),
    ];
    expected.push((format!("sizeof({attributes})"), size_of::<PointerAttributes>()));
    expected.extend(fields.map(|(field, at)| (format!("offsetof({attributes}, {field})"), at)));
    let mut check = Check::new("HIP layouts");
    let values = header.values(expected.iter().map(|(e, _)| e.as_str()))?;
    for (expression, value) in expected {
        check.value(&expression, values.get(&expression).copied(), value as i64);
    }
    Ok(check)
}

/// Sizes and offsets as C expressions.
fn properties(name: &str, layout: PropertyLayout) -> Vec<(String, usize)> {
    // Taken apart whole, so that no field is forgotten.
    let PropertyLayout {
        size,
        name: device_name,
        total_global_mem,
        warp_size,
        max_threads_per_block,
        clock_rate,
        major,
        minor,
        multi_processor_count,
        gcn_arch,
        gcn_arch_name,
        integrated,
        pci_bus_id,
    } = layout;
    let fields = [
        ("name", Some(device_name)),
        ("totalGlobalMem", Some(total_global_mem)),
        ("warpSize", Some(warp_size)),
        ("maxThreadsPerBlock", Some(max_threads_per_block)),
        ("clockRate", Some(clock_rate)),
        ("major", Some(major)),
        ("minor", Some(minor)),
        ("multiProcessorCount", Some(multi_processor_count)),
        ("gcnArch", gcn_arch),
        ("gcnArchName", Some(gcn_arch_name)),
        ("integrated", Some(integrated)),
        ("pciBusID", Some(pci_bus_id)),
    ];
    let fields =
        fields.into_iter().filter_map(|(field, at)| Some((format!("offsetof({name}, {field})"), at?)));
    std::iter::once((format!("sizeof({name})"), size)).chain(fields).collect()
}

impl Check {
    pub(super) fn new(name: &'static str) -> Self {
        Check { name, passed: 0, differences: Vec::new() }
    }

    /// Constants of the header against their numbers.
    fn of_values(name: &'static str, header: &Header, constants: &[(String, i64)]) -> Result<Self> {
        let mut check = Check::new(name);
        let there = constants.iter().map(|(name, _)| name.as_str()).filter(|n| header.has_constant(n));
        let values = header.values(there)?;
        for (name, expected) in constants {
            check.value(name, values.get(name).copied(), *expected);
        }
        Ok(check)
    }

    fn value(&mut self, name: &str, theirs: Option<i64>, ours: i64) {
        match theirs {
            Some(value) if value == ours => self.passed += 1,
            Some(value) => self.differences.push(format!("{name} is {value}, in the table {ours}")),
            None => self.differences.push(format!("{name} is not in the header")),
        }
    }

    fn compare(&mut self, name: &str, theirs: Option<&Prototype>, ours: &Prototype) {
        match theirs {
            Some(prototype) if prototype == ours => self.passed += 1,
            Some(prototype) => self.differences.push(format!("{name}: {prototype}, in the table {ours}")),
            None => self.differences.push(format!("{name} is not in the header")),
        }
    }
}
