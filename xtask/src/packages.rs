//! Debian packages, fetched and unpacked into a folder of our own. Nothing is installed, and no setting of the machine
//! is touched: apt is given its own source list, its own index and an empty list of installed packages.
//!
//! The mirror and its signing keys are those of the machine's own source lists. [`MIRROR`] names another mirror.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Environment variable with the folder for packages. Without it, it is `packages` in cargo's target folder.
pub(crate) const FOLDER: &str = "ANYBLAS_PACKAGES";
/// Environment variable with the address of a Debian mirror.
pub(crate) const MIRROR: &str = "ANYBLAS_DEBIAN_MIRROR";

/// The suites, and where each looks for packages: experimental builds on sid.
const SUITES: [(&str, &[&str]); 3] =
    [("trixie", &["trixie"]), ("sid", &["sid"]), ("experimental", &["sid", "experimental"])];
/// Name of the source list with all of them.
const ALL_SUITES: &str = "all";
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
/// How old the index may be before it is fetched again.
const INDEX_AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// Left out when unpacking: the kernel files of rocBLAS, which are gigabytes and of use to a GPU only.
const LEFT_OUT: &str = "./usr/lib/*/rocblas/*";
/// File in a root that lists what was asked for and is there.
const REQUESTS: &str = "requests.txt";

/// A folder of unpacked packages: one root a suite.
pub(crate) struct Packages {
    folder: PathBuf,
}

/// What to fetch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The packages named.
    Named,
    /// And all that they depend on, down to the C library.
    Closure,
}

impl Packages {
    /// Packages in `folder`, or in the default one.
    pub(crate) fn new(folder: Option<&Path>) -> Result<Self> {
        let folder = match (folder, std::env::var_os(FOLDER)) {
            (Some(f), _) => f.to_owned(),
            (None, Some(f)) => f.into(),
            (None, None) => target().join("packages"),
        };
        fs::create_dir_all(folder.join("apt")).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Packages { folder: folder.canonicalize()? })
    }

    /// Unpacks packages of a suite and returns the root of what was unpacked. A package is its name, with a pattern of
    /// its version if it matters: `libhipblas-dev=7.2.4*`.
    pub(crate) fn fetch(&self, suite: &str, packages: &[&str]) -> Result<PathBuf> {
        self.unpack(suite, packages, Extent::Named)
    }

    /// As [`fetch`](Self::fetch), with all packages that these depend on, down to the C library.
    pub(crate) fn fetch_closure(&self, suite: &str, packages: &[&str]) -> Result<PathBuf> {
        self.unpack(suite, packages, Extent::Closure)
    }

    /// Version of a package in the root of a suite, if it is there.
    pub(crate) fn version(&self, suite: &str, package: &str) -> Option<String> {
        let text = fs::read_to_string(self.root(suite).join(".packages").join(package)).ok()?;
        Some(text.trim().to_owned())
    }

    fn root(&self, suite: &str) -> PathBuf {
        self.folder.join(suite)
    }

    fn unpack(&self, suite: &str, packages: &[&str], extent: Extent) -> Result<PathBuf> {
        // Two processes may share the folder.
        let lock = File::create(self.folder.join("lock"))?;
        lock.lock()?;
        let root = self.root(suite);
        let notes = root.join(".packages");
        fs::create_dir_all(&notes)?;
        // A root in which a request was met before needs neither apt nor a network.
        let request = request(packages, extent);
        let met = fs::read_to_string(notes.join(REQUESTS)).unwrap_or_default();
        if met.lines().any(|line| line == request) {
            return Ok(root);
        }
        let failed = |e| {
            format!(
                "cannot fetch {} of Debian {suite}: {e}. {FOLDER} names a folder where packages were unpacked before, \
                 {MIRROR} another mirror",
                packages.join(", ")
            )
        };
        let debs = self.resolve(suite, packages, extent).map_err(failed)?;
        let missing: Vec<&Deb> =
            debs.iter().filter(|d| self.version(suite, &d.name).as_ref() != Some(&d.version)).collect();
        self.download(suite, &missing).map_err(failed)?;
        for deb in missing {
            let file = self.downloads().join(&deb.file);
            unpack_deb(&file, &root)?;
            fs::write(notes.join(&deb.name), &deb.version)?;
            fs::remove_file(&file)?;
        }
        fs::write(notes.join(REQUESTS), format!("{met}{request}\n"))?;
        Ok(root)
    }

    fn downloads(&self) -> PathBuf {
        self.folder.join("apt/downloads")
    }

    /// The files of packages, by apt's own choice.
    fn resolve(&self, suite: &str, packages: &[&str], extent: Extent) -> Result<Vec<Deb>> {
        self.update()?;
        let mut apt = self.apt(suite);
        match extent {
            Extent::Named => apt.arg("download"),
            Extent::Closure => apt.args(["install", "--no-install-recommends", "-y"]),
        };
        let text = output(apt.arg("--print-uris").args(packages))?;
        // 'http://.../libhipblas3_7.2.4-1%7eexp1_amd64.deb' libhipblas3_7.2.4-1~exp1_amd64.deb 130644 SHA256:...
        let debs: Vec<Deb> = text.lines().filter(|l| l.starts_with('\'')).filter_map(Deb::parse).collect();
        if debs.is_empty() { Err(format!("apt-get names no files: {text}").into()) } else { Ok(debs) }
    }

    fn download(&self, suite: &str, debs: &[&Deb]) -> Result<()> {
        if debs.is_empty() {
            return Ok(());
        }
        let folder = self.downloads();
        fs::create_dir_all(&folder)?;
        let total = debs.iter().map(|d| d.bytes).sum();
        let bar = ProgressBar::new(total);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.set_message(format!("{} packages of {suite}", debs.len()));
        if bar.is_hidden() {
            say!("fetching {} packages of Debian {suite}, {} MB", debs.len(), total / 1_000_000)?;
        }
        let mut apt = self.apt(suite);
        apt.arg("download").args(debs.iter().map(|d| format!("{}={}", d.name, d.version)));
        let child = apt.current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let child = child.map_err(|e| format!("apt-get: {e}"))?;
        // Its complaints are read while it runs: a full pipe would hold it up.
        let apt = std::thread::spawn(|| child.wait_with_output());
        while !apt.is_finished() {
            bar.set_position(size_of_files(&folder));
            std::thread::sleep(Duration::from_millis(100));
        }
        bar.finish_and_clear();
        let done = apt.join().map_err(|_| "apt-get was not waited for")??;
        if done.status.success() { Ok(()) } else { Err(complaints(&done.stderr).into()) }
    }

    /// Fetches the index of the suites unless there is a fresh one.
    fn update(&self) -> Result<()> {
        let stamp = self.folder.join("apt/updated");
        let fresh = fs::metadata(&stamp)
            .and_then(|m| m.modified())
            .is_ok_and(|t| t.elapsed().is_ok_and(|a| a < INDEX_AGE));
        if fresh {
            return Ok(());
        }
        self.configure()?;
        output(self.apt(ALL_SUITES).arg("update"))?;
        File::create(&stamp)?;
        Ok(())
    }

    /// Writes apt's private configuration.
    fn configure(&self) -> Result<()> {
        let apt = self.folder.join("apt");
        for dir in ["lists/partial", "cache/archives/partial", "none"] {
            fs::create_dir_all(apt.join(dir))?;
        }
        let mirror = Mirror::of_this_machine()?;
        let line = |suite: &&str| format!("deb {}{} {suite} main\n", mirror.options(), mirror.address);
        let all = SUITES.map(|(suite, _)| suite);
        for (suite, places) in SUITES.into_iter().chain([(ALL_SUITES, all.as_slice())]) {
            fs::write(self.source_list(suite), places.iter().map(line).collect::<String>())?;
        }
        fs::write(apt.join("status"), "")?;
        // How this machine reaches a mirror (proxies, certificates) stays; its hooks and preferences do not apply.
        let acquire = output(Command::new("apt-config").args(["dump", "Acquire"]))?;
        let dir = apt.display();
        fs::write(
            apt.join("apt.conf"),
            format!(
                "{acquire}\n\
                 Acquire::Languages \"none\";\n\
                 Acquire::Retries \"3\";\n\
                 APT::Sandbox::User \"root\";\n\
                 APT::Update::Error-Mode \"any\";\n\
                 APT::Architecture \"amd64\";\n\
                 Dir::Etc::Parts \"{dir}/none\";\n\
                 Dir::Etc::SourceParts \"{dir}/none\";\n\
                 Dir::Etc::Preferences \"{dir}/none/preferences\";\n\
                 Dir::Etc::PreferencesParts \"{dir}/none\";\n\
                 Dir::State \"{dir}\";\n\
                 Dir::State::Lists \"{dir}/lists\";\n\
                 Dir::State::Status \"{dir}/status\";\n\
                 Dir::Cache \"{dir}/cache\";\n"
            ),
        )?;
        Ok(())
    }

    fn apt(&self, suite: &str) -> Command {
        let mut apt = Command::new("apt-get");
        apt.env("APT_CONFIG", self.folder.join("apt/apt.conf")).env("LC_ALL", "C").arg("-qq");
        apt.arg("-o").arg(format!("Dir::Etc::SourceList={}", self.source_list(suite).display()));
        if suite != ALL_SUITES {
            apt.args(["-t", suite]);
        }
        apt
    }

    fn source_list(&self, suite: &str) -> PathBuf {
        self.folder.join(format!("apt/{suite}.list"))
    }
}

/// Cargo's target folder.
pub(crate) fn target() -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(default, PathBuf::from)
}

/// A package file.
struct Deb {
    name: String,
    version: String,
    file: String,
    bytes: u64,
}

impl Deb {
    /// From a line of `apt-get --print-uris`.
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace().skip(1);
        let file = words.next()?;
        let bytes = words.next()?.parse().ok()?;
        let mut parts = file.split('_');
        let (name, version) = (parts.next()?, parts.next()?);
        // A colon in the name of a file is written as %3a.
        Some(Deb {
            name: name.to_owned(),
            version: version.replace("%3a", ":"),
            file: file.to_owned(),
            bytes,
        })
    }
}

/// Where packages come from.
struct Mirror {
    address: String,
    /// File with the keys that sign it, if the source lists name one.
    keyring: Option<String>,
}

impl Mirror {
    fn of_this_machine() -> Result<Self> {
        let default_keyring = || Path::new(KEYRING).exists().then(|| KEYRING.to_owned());
        if let Ok(address) = std::env::var(MIRROR) {
            return Ok(Mirror { address, keyring: default_keyring() });
        }
        let mut files = vec![PathBuf::from("/etc/apt/sources.list")];
        if let Ok(dir) = fs::read_dir("/etc/apt/sources.list.d") {
            let mut more: Vec<PathBuf> = dir.flatten().map(|e| e.path()).collect();
            more.sort();
            files.append(&mut more);
        }
        for file in files {
            let text = fs::read_to_string(&file).unwrap_or_default();
            let found = match file.extension().and_then(|e| e.to_str()) {
                Some("sources") => text.split("\n\n").find_map(Mirror::from_stanza),
                Some("list") => text.lines().find_map(Mirror::from_line),
                _ => None,
            };
            if let Some(mirror) = found {
                return Ok(Mirror { keyring: mirror.keyring.or_else(default_keyring), ..mirror });
            }
        }
        Err(format!("no Debian mirror in the source lists under /etc/apt: name one in {MIRROR}").into())
    }

    /// From a stanza of a `.sources` file.
    fn from_stanza(text: &str) -> Option<Self> {
        let field = |name: &str| {
            let line = text.lines().find(|l| l.to_ascii_lowercase().starts_with(&format!("{name}:")))?;
            Some(line.split_once(':')?.1.trim())
        };
        let is_on = field("enabled").is_none_or(|e| e != "no");
        let is_deb = field("types").is_some_and(|t| t.split_whitespace().any(|w| w == "deb"));
        let address = field("uris")?.split_whitespace().find(|a| serves_debian(a))?;
        let keyring = field("signed-by").filter(|k| k.starts_with('/'));
        (is_on && is_deb).then(|| Mirror { address: address.to_owned(), keyring: keyring.map(str::to_owned) })
    }

    /// From a line of a `.list` file: `deb [signed-by=FILE arch=...] ADDRESS SUITE COMPONENT...`.
    fn from_line(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("deb ")?.trim_start();
        let (options, rest) = match rest.strip_prefix('[') {
            Some(r) => r.split_once(']')?,
            None => ("", rest),
        };
        let address = rest.split_whitespace().next().filter(|a| serves_debian(a))?;
        let keyring = options.split_whitespace().find_map(|o| o.strip_prefix("signed-by="));
        Some(Mirror { address: address.to_owned(), keyring: keyring.map(str::to_owned) })
    }

    fn options(&self) -> String {
        self.keyring.as_ref().map_or_else(String::new, |k| format!("[signed-by={k}] "))
    }
}

/// Whether an address is a mirror of Debian itself: those end in `/debian`, and the one of security updates does not.
fn serves_debian(address: &str) -> bool {
    address.contains("://") && address.trim_end_matches('/').ends_with("/debian")
}

/// A request as a line of the file of requests met.
fn request(packages: &[&str], extent: Extent) -> String {
    let mut packages = packages.to_vec();
    packages.sort_unstable();
    let word = if extent == Extent::Closure { "closure" } else { "named" };
    format!("{word} {}", packages.join(" "))
}

fn unpack_deb(deb: &Path, root: &Path) -> Result<()> {
    // As `dpkg -x` does it, less what is left out.
    let mut dpkg = Command::new("dpkg-deb")
        .arg("--fsys-tarfile")
        .arg(deb)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("dpkg-deb: {e}"))?;
    let archive = dpkg.stdout.take().ok_or("dpkg-deb has no output")?;
    let mut tar = Command::new("tar");
    tar.args(["-x", "--no-same-owner", "--wildcards", "--exclude", LEFT_OUT, "-C"]).arg(root);
    let unpacked = output(tar.stdin(archive));
    let read = dpkg.wait()?;
    unpacked.map_err(|e| format!("{}: {e}", deb.display()))?;
    if read.success() { Ok(()) } else { Err(format!("{}: dpkg-deb {read}", deb.display()).into()) }
}

/// Runs a program to its end and returns what it printed.
fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let out = command.output().map_err(|e| format!("{name}: {e}"))?;
    if !out.status.success() {
        return Err(format!("{name} {}: {}", out.status, complaints(&out.stderr)).into());
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// What a program wrote to its standard error, in one line.
fn complaints(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    lines.join("; ")
}

fn size_of_files(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|e| e.metadata().ok()).map(|m| m.len());
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_are_found_in_both_formats_of_source_lists() {
        let stanza = "Types: deb deb-src\n# a remark\nURIs: https://mirror.example/debian/\nSuites: bookworm\n\
                      Components: main\nSigned-By: /keys.gpg";
        let found = Mirror::from_stanza(stanza).map(|m| (m.address, m.keyring));
        assert_eq!(found, Some(("https://mirror.example/debian/".to_owned(), Some("/keys.gpg".to_owned()))));
        assert!(Mirror::from_stanza(&format!("Enabled: no\n{stanza}")).is_none());
        assert!(Mirror::from_stanza(&stanza.replace("/debian/", "/debian-security")).is_none());

        let line = "deb [arch=amd64 signed-by=/keys.gpg] http://mirror.example/debian bookworm main contrib";
        let found = Mirror::from_line(line).map(|m| (m.address, m.keyring));
        assert_eq!(found, Some(("http://mirror.example/debian".to_owned(), Some("/keys.gpg".to_owned()))));
        let plain = Mirror::from_line("deb http://mirror.example/debian sid main").map(|m| m.keyring);
        assert_eq!(plain, Some(None));
        assert!(Mirror::from_line("# deb http://mirror.example/debian sid main").is_none());
        assert!(Mirror::from_line("deb-src http://mirror.example/debian sid main").is_none());
    }

    #[test]
    fn package_files_are_read_from_apt() {
        let line =
            "'http://mirror.example/z/zlib1g_1.3_amd64.deb' zlib1g_1%3a1.3~x-4_amd64.deb 92424 SHA256:00";
        let deb = Deb::parse(line).unwrap();
        assert_eq!((deb.name.as_str(), deb.version.as_str(), deb.bytes), ("zlib1g", "1:1.3~x-4", 92424));
        assert_eq!(deb.file, "zlib1g_1%3a1.3~x-4_amd64.deb");
    }
}
