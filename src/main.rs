//! The command line: arguments in, files and an exit status out. It uses the library's public face alone.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
