//! What C headers declare, as the C compiler sees it: preprocessed by `cc`, and read by a parser of declarations that
//! knows as much C as the headers of hipBLAS and HIP need.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The declarations of `hip_runtime_api.h` and `hipblas.h` of a release.
pub(super) struct Header {
    /// Prototypes by name.
    pub functions: HashMap<String, Prototype>,
    /// Enumerators by the name of their type, in their order.
    pub enums: HashMap<String, Vec<String>>,
    /// Names of macros.
    macros: BTreeSet<String>,
    include: PathBuf,
    folder: PathBuf,
}

/// Types of a function, without `const` and with arrays as pointers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Prototype {
    pub returns: String,
    pub params: Vec<String>,
}

impl std::fmt::Display for Prototype {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.returns, self.params.join(", "))
    }
}

const SOURCE: &str = "#include <hip/hip_runtime_api.h>\n#include <hipblas/hipblas.h>\n";

impl Header {
    /// Reads the headers under an unpacked root; `folder` is for files on the way.
    pub(super) fn read(root: &Path, folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let include = root.join("usr/include");
        let source = folder.join("headers.c");
        std::fs::write(&source, SOURCE)?;
        let text = stdout(compiler(&include).args(["-E", "-P"]).arg(&source))?;
        let macros = stdout(compiler(&include).args(["-E", "-dM"]).arg(&source))?;
        let mut header = Header {
            functions: HashMap::new(),
            enums: HashMap::new(),
            macros: macros.lines().filter_map(|l| l.split(' ').nth(1)).map(str::to_owned).collect(),
            include,
            folder: folder.to_owned(),
        };
        header.parse(&text);
        Ok(header)
    }

    pub(super) fn is_macro(&self, name: &str) -> bool {
        self.macros.contains(name)
    }

    /// Whether a name is an enumerator or a macro.
    pub(super) fn has_constant(&self, name: &str) -> bool {
        self.is_macro(name) || self.enums.values().flatten().any(|e| e == name)
    }

    /// Values of C constant expressions, from a program that is compiled with the headers and run.
    pub(super) fn values<'a>(
        &self,
        expressions: impl IntoIterator<Item = &'a str>,
    ) -> Result<HashMap<String, i64>> {
        let mut source = format!("#include <stddef.h>\n#include <stdio.h>\n{SOURCE}int main(void) {{\n");
        for e in expressions {
            source += &format!("    printf(\"{e}\\t%lld\\n\", (long long)({e}));\n");
        }
        source += "    return 0;\n}\n";
        let (file, program) = (self.folder.join("values.c"), self.folder.join("values"));
        std::fs::write(&file, source)?;
        stdout(compiler(&self.include).arg(&file).arg("-o").arg(&program))?;
        let text = stdout(&mut Command::new(&program))?;
        let value =
            |line: &str| line.split_once('\t').and_then(|(name, v)| Some((name.to_owned(), v.parse().ok()?)));
        Ok(text.lines().filter_map(value).collect())
    }

    fn parse(&mut self, text: &str) {
        let tokens = tokens(text);
        let mut rest = tokens.as_slice();
        while !rest.is_empty() {
            let (declaration, after) = rest.split_at(end_of_declaration(rest));
            rest = after;
            if let Some(open) = declaration.iter().position(|t| *t == "{") {
                if declaration.contains(&"enum") && !declaration[..open].contains(&"(") {
                    self.add_enum(declaration, open);
                }
            } else if declaration.first() != Some(&"typedef")
                && let Some((name, prototype)) = prototype(declaration)
            {
                self.functions.insert(name, prototype);
            }
        }
    }

    /// `typedef enum tag { A, B = 1 } name;` or `enum tag { ... };`
    fn add_enum(&mut self, declaration: &[&str], open: usize) {
        let Some(close) = declaration.iter().rposition(|t| *t == "}") else { return };
        let name = declaration[close + 1..]
            .iter()
            .find(|t| is_name(t))
            .or_else(|| declaration[..open].last().filter(|t| **t != "enum"));
        let Some(name) = name else { return };
        let enumerators = declaration[open + 1..close].split(|t| *t == ",").filter_map(|e| e.first());
        self.enums.insert((*name).to_owned(), enumerators.map(|e| (*e).to_owned()).collect());
    }
}

/// The C compiler, set up for AMD's headers.
pub(crate) fn compiler(include: &Path) -> Command {
    let mut cc = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    cc.args(["-std=gnu11", "-D__HIP_PLATFORM_AMD__", "-isystem"]).arg(include);
    cc
}

fn stdout(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let out = command.output().map_err(|e| format!("{name}: {e}"))?;
    if !out.status.success() {
        return Err(format!("{name} {}: {}", out.status, String::from_utf8_lossy(&out.stderr)).into());
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Words and single signs.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |i| i + 2),
            c if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        tokens.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    tokens
}

/// Where the first declaration ends: behind its semicolon, or behind the body of a function.
fn end_of_declaration(tokens: &[&str]) -> usize {
    let (mut depth, mut body_of_function) = (0_usize, false);
    for (i, token) in tokens.iter().enumerate() {
        match *token {
            "{" | "(" => {
                body_of_function |= *token == "{" && depth == 0 && i > 0 && tokens[i - 1] == ")";
                depth += 1;
            }
            "}" | ")" => {
                depth = depth.saturating_sub(1);
                if *token == "}" && depth == 0 && body_of_function {
                    return i + 1;
                }
            }
            ";" if depth == 0 => return i + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Name and types of a declared function.
fn prototype(declaration: &[&str]) -> Option<(String, Prototype)> {
    let mut tokens = Vec::new();
    let mut rest = declaration.strip_suffix(&[";"])?;
    while let [first, tail @ ..] = rest {
        rest = tail;
        match *first {
            "__attribute__" => rest = &tail[group(tail)..],
            "extern" | "static" | "inline" | "__inline" | "__extension__" => {}
            token => tokens.push(token),
        }
    }
    let open = tokens.iter().position(|t| *t == "(")?;
    let name = tokens[..open].last().filter(|t| is_name(t))?;
    let params = tokens[open + 1..].strip_suffix(&[")"])?;
    let returns = c_type(&tokens[..open - 1])?;
    let params = match params {
        [] | ["void"] => Vec::new(),
        list => split_at_commas(list).into_iter().map(c_type).collect::<Option<_>>()?,
    };
    Some(((*name).to_owned(), Prototype { returns, params }))
}

/// Length of the parenthesis that tokens begin with.
fn group(tokens: &[&str]) -> usize {
    let mut depth = 0_usize;
    for (i, token) in tokens.iter().enumerate() {
        match *token {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

fn split_at_commas<'a, 'b>(tokens: &'a [&'b str]) -> Vec<&'a [&'b str]> {
    let (mut depth, mut start, mut parts) = (0_usize, 0, Vec::new());
    for (i, token) in tokens.iter().enumerate() {
        match *token {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                parts.push(&tokens[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[start..]);
    parts
}

/// The type of a parameter or result, the name of a parameter left out: `const T* const AP[]` is `T**`.
fn c_type(tokens: &[&str]) -> Option<String> {
    const BUILT_IN: [&str; 9] =
        ["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned"];
    let words: Vec<&str> = tokens
        .iter()
        .copied()
        .filter(|t| !matches!(*t, "const" | "struct" | "enum" | "union" | "restrict" | "__restrict"))
        .collect();
    // A pointer to a function, written out. No function of the tables has one.
    if words.contains(&"(") {
        return Some("function".to_owned());
    }
    let built_in = words.iter().take_while(|w| BUILT_IN.contains(w)).count();
    let base = match words.get(..built_in.max(1))? {
        ["unsigned"] => "unsigned int".to_owned(),
        ["long", "long", "int"] => "long long".to_owned(),
        base => base.join(" "),
    };
    let pointers = words.iter().filter(|w| matches!(**w, "*" | "[")).count();
    Some(base + &"*".repeat(pointers))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Header {
        let mut header = Header {
            functions: HashMap::new(),
            enums: HashMap::new(),
            macros: BTreeSet::new(),
            include: PathBuf::new(),
            folder: PathBuf::new(),
        };
        header.parse(text);
        header
    }

    #[test]
    fn prototypes_lose_their_names_and_const() {
        let header = read(
            "typedef struct { int x; float (*f)(int); } S;\n\
             static inline int twice(int a) { if (a) { return 2 * a; } return 0; }\n\
             __attribute__((visibility(\"default\"))) status_t f(handle_t h, const T* const A[], unsigned flags,\n\
             long long stride, const char*, void (*callback)(int, int), size_t n);\n\
             const char* g(void); unsigned int h();",
        );
        let types = |name: &str| header.functions.get(name).map(ToString::to_string);
        assert_eq!(
            types("f").as_deref(),
            Some("status_t (handle_t, T**, unsigned int, long long, char*, function, size_t)")
        );
        assert_eq!(types("g").as_deref(), Some("char* ()"));
        assert_eq!(types("h").as_deref(), Some("unsigned int ()"));
        assert_eq!(header.functions.len(), 3);
    }

    #[test]
    fn enums_have_their_name_after_the_body_or_before_it() {
        let header = read("typedef enum tag { A = 1, B = (1 + 2), C, } name; enum other { X, Y };");
        assert_eq!(header.enums["name"], ["A", "B", "C"]);
        assert_eq!(header.enums["other"], ["X", "Y"]);
        assert!(header.has_constant("Y"));
    }
}
