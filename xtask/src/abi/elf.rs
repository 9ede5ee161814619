//! What a shared library exports.

use std::collections::BTreeMap;
use std::path::Path;

use object::Endianness;
use object::elf::{FileHeader64, SHN_UNDEF};
use object::read::elf::{FileHeader, Sym};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Names of the symbols that a library defines, each with its version if it has one.
pub(super) fn exports(library: &Path) -> Result<BTreeMap<String, Option<String>>> {
    let data = std::fs::read(library).map_err(|e| format!("{}: {e}", library.display()))?;
    let data = data.as_slice();
    let elf = FileHeader64::<Endianness>::parse(data)?;
    let endian = elf.endian()?;
    let sections = elf.sections(endian, data)?;
    let versions = sections.versions(endian, data)?;
    let symbols = sections.symbols(endian, data, object::elf::SHT_DYNSYM)?;
    let mut exports = BTreeMap::new();
    for (index, symbol) in symbols.enumerate() {
        if symbol.st_shndx(endian) == SHN_UNDEF || symbol.st_name(endian) == 0 {
            continue;
        }
        let name = String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?).into_owned();
        let version = match &versions {
            Some(v) => v.version(v.version_index(endian, index))?,
            None => None,
        };
        exports.insert(name, version.map(|v| String::from_utf8_lossy(v.name()).into_owned()));
    }
    Ok(exports)
}
