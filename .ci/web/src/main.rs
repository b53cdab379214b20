//! `skilltree-bindgen MODULE.wasm OUT`: writes OUT/skilltree.js and OUT/skilltree_bg.wasm.

use std::env::args;
use wasm_bindgen_cli_support::Bindgen;

fn main() {
    let arguments: Vec<String> = args().skip(1).collect();
    let [module, out] = arguments.as_slice() else { panic!("usage: skilltree-bindgen MODULE.wasm OUT") };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("skilltree").typescript(false);
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.web(true).and_then(|bindgen| bindgen.generate(out)).expect("the module is valid");
}
