//! What the playground shows: check, forecast and fix of files in memory, as one function from JSON to JSON.
//!
//! Nothing in this crate reads a file, a repository or the environment. On WebAssembly, the function is exported to JavaScript. The
//! crate is internal: it promises nothing to other programs.
//!
//! The modules are declared in the order of their dependence: each uses only modules declared above it.

pub mod request;
#[cfg(feature = "site")]
pub mod link;
mod verdict;
mod answer;
#[cfg(feature = "site")]
pub mod site;

/// Exports [`answer`] to JavaScript.
#[cfg(target_arch = "wasm32")]
pub mod export {
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Answers a request.
    #[wasm_bindgen]
    pub fn answer(request: &str) -> String {
        crate::answer(request)
    }
}

pub use answer::answer;
