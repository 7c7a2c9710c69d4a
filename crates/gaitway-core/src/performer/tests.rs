//! Temporary.
use super::*;
use crate::fk;

#[test]
#[ignore]
#[allow(clippy::print_stdout)]
fn dump() {
    let dir = std::env::var("PERF_OUT").unwrap();
    for p in library(1, 60.0).unwrap() {
        let c = &p.clip;
        let pts = fk::world_points(c);
        let mut s = String::new();
        for f in 0..c.frame_count() {
            for p in pts.frame(f) {
                s += &format!("{:.5} {:.5} {:.5} ", p.x, p.y, p.z);
            }
            s += &format!("{}\n", c.contacts().unwrap().mask(f));
        }
        let n = c.name().replace('/', "_");
        std::fs::write(format!("{dir}/{n}.txt"), s).unwrap();
        let l: Vec<String> = c
            .labels()
            .spans()
            .iter()
            .map(|s| format!("{} {} {}", s.start, s.end, s.label))
            .collect();
        std::fs::write(
            format!("{dir}/{n}.lab"),
            l.join("\n") + &format!("\n#{:?}", p.truth.props),
        )
        .unwrap();
    }
}
