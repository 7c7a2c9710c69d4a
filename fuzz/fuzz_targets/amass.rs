#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gaitway_io::fuzzing::amass(bytes));
