#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| skilltree_fuzz::scalars(data));
