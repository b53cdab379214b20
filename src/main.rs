//! The program `skilltree`.

fn main() -> std::process::ExitCode {
    skilltree::main()
}
