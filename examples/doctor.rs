//! What anyblas finds on this machine: `cargo run --example doctor --all-features`

fn main() {
    print!("{}", anyblas::doctor());
}
