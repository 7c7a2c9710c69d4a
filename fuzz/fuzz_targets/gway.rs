#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = gaitway_graph::fuzzing::gway(bytes);
    let _ = gaitway_graph::fuzzing::gway_mended(bytes);
});
