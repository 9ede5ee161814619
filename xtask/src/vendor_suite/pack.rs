//! The test program with all that it takes to start it, in one file for a machine that has no packages and no compiler.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use lzma_rust2::{XzOptions, XzReader, XzWriter};

use super::program::{Program, Release};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// In the file: the folder of our libraries.
const LIBRARIES: &str = "libraries";
/// In the file: the versions of the packages.
const VERSIONS: &str = "packages.json";
/// The C runtime as far as the program, our libraries and those of a GPU's driver need it.
const RUNTIME: [&str; 11] = [
    "libc.so.6",
    "libm.so.6",
    "libmvec.so.1",
    "libdl.so.2",
    "libpthread.so.0",
    "librt.so.1",
    "libutil.so.1",
    "libstdc++.so.6",
    "libgcc_s.so.1",
    "libgfortran.so.5",
    "libquadmath.so.0",
];

/// Name of the file of a release.
fn name(program: &Program) -> String {
    format!("{}-{}.tar.xz", program.name, program.release)
}

/// Packs a program and our libraries into a file in `folder`.
pub(super) fn pack(program: &Program, ours: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let path = folder.join(name(program));
    let writer = XzWriter::new(File::create(&path)?, XzOptions::with_preset(6))?;
    let mut tar = tar::Builder::new(writer);
    let at = |folder: &str, file: &Path| Path::new(folder).join(file.file_name().unwrap_or_default());
    let mut files: Vec<(PathBuf, PathBuf)> = program
        .files()
        .map(|f| (f.to_owned(), at(program.release.folder(), f)))
        .chain([(program.loader().to_owned(), at("runtime", program.loader()))])
        .collect();
    for library in RUNTIME {
        let found = program.libraries().iter().map(|f| f.join(library)).find(|f| f.is_file());
        let found = found.ok_or_else(|| format!("{program}: no {library} in the C runtime"))?;
        files.push((found.clone(), at("runtime", &found)));
    }
    let library = format!("libhipblas.so.{}", program.release.abi().major());
    files.push((ours.join(&library), at(LIBRARIES, Path::new(&library))));

    let bar = ProgressBar::new(files.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed} {msg}") {
        bar.set_style(style);
    }
    for (from, to) in files {
        bar.set_message(to.display().to_string());
        // What a link leads to is packed, under the link's name.
        tar.append_path_with_name(&from, to).map_err(|e| format!("{}: {e}", from.display()))?;
        bar.inc(1);
    }
    // One library with two names: it must be one file.
    let mut link = tar::Header::new_gnu();
    link.set_entry_type(tar::EntryType::Symlink);
    link.set_size(0);
    let runtime = format!("libamdhip64.so.{}", program.release.abi().hip_major());
    tar.append_link(&mut link, at(LIBRARIES, Path::new(&runtime)), library)?;
    let versions: BTreeMap<_, _> = program.packages.iter().cloned().collect();
    let versions = serde_json::to_vec_pretty(&versions)?;
    let mut header = tar::Header::new_gnu();
    header.set_size(versions.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, VERSIONS, versions.as_slice())?;
    tar.into_inner()?.finish()?;
    bar.finish_and_clear();
    say!("{}: {:.1} MB", path.display(), fs::metadata(&path)?.len() as f64 / 1e6)?;
    Ok(())
}

/// A folder with a program: unpacked packages, or one that has been packed.
pub(super) struct Suite {
    pub(super) folder: PathBuf,
    is_temporary: bool,
}

impl Suite {
    /// The folder, or what is unpacked for the time being if it has the packed file of a release.
    pub(super) fn open(folder: &Path, release: Release) -> Result<Suite> {
        let at = |e: &dyn std::fmt::Display| format!("{}: {e}", folder.display());
        let folder = folder.canonicalize().map_err(|e| at(&e))?;
        let end = format!("-{release}.tar.xz");
        let packed = fs::read_dir(&folder)?
            .flatten()
            .map(|e| e.path())
            .find(|p| p.file_name().is_some_and(|n| n.to_string_lossy().ends_with(&end)));
        let Some(packed) = packed else { return Ok(Suite { folder, is_temporary: false }) };
        let name = format!("anyblas-vendor-suite-{}", std::process::id());
        let suite = Suite { folder: std::env::temp_dir().join(name), is_temporary: true };
        fs::create_dir_all(&suite.folder)?;
        let reader = XzReader::new(BufReader::new(File::open(&packed)?), true);
        let unpacked = tar::Archive::new(reader).unpack(&suite.folder);
        unpacked.map_err(|e| format!("{}: {e}", packed.display()))?;
        Ok(suite)
    }

    /// Our libraries, if they were packed too.
    pub(super) fn libraries(&self) -> Option<PathBuf> {
        Some(self.folder.join(LIBRARIES)).filter(|f| f.is_dir())
    }

    /// Packages and their versions, if they are known.
    pub(super) fn packages(folder: &Path) -> Vec<(String, String)> {
        let text = fs::read(folder.join(VERSIONS)).unwrap_or_default();
        serde_json::from_slice::<BTreeMap<String, String>>(&text).unwrap_or_default().into_iter().collect()
    }
}

impl Drop for Suite {
    fn drop(&mut self) {
        if self.is_temporary {
            // The system clears the folder in any case.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
