//! Wishes in time through the real binary.

use crate::support::{performed, text, two_lines};

#[test]
fn times_are_kept_or_told() {
    let place = performed();
    let path = |more: &[&str]| {
        let mut all = vec!["path", "g.gway", "line", "--style", "walk", "-o", "m.bvh"];
        all.extend(more);
        place.run(&all)
    };
    let own = place.json(&[
        "path", "g.gway", "line", "--style", "walk", "-o", "m.bvh", "--json",
    ]);
    let seconds = own["seconds"].as_f64().expect("a number");
    let asked = format!("{:.2}", 1.06 * seconds);
    let kept = path(&["--duration", &asked, "--report", "r.json"]);
    assert!(kept.status.success(), "{}", text(&kept.stderr));
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(place.path("r.json")).expect("a report"))
            .expect("JSON");
    let rows = report["constraints"].as_array().expect("rows");
    assert!(
        rows.iter()
            .any(|r| r["what"] == "duration" && r["kept"] == true)
    );

    let missed = path(&["--duration", &format!("{:.2}", 4.0 * seconds)]);
    let told = text(&missed.stdout) + &text(&missed.stderr);
    assert_eq!(missed.status.code(), Some(1), "{told}");
    assert!(
        told.contains("duration not kept") && told.contains("early"),
        "{told}"
    );
    assert!(
        told.contains("hint: what may be played here takes"),
        "{told}"
    );

    for (more, words) in [
        (&["--duration", "0.1"][..], "nobody goes faster"),
        (&["--arrive", "4"], "SECONDS@PLACE"),
        (&["--arrive", "4@99"], "the path goes from 0 to 8.00 m"),
        (&["--arrive", "4@4,3@6"], "cannot follow"),
        (&["--speed", "fast"], "METRES-A-SECOND"),
        (&["--speed", "99"], "0.05 to 15"),
        (&["--speed", "1@0..5,2@3.."], "begins at 3.00 m"),
    ] {
        let output = path(more);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(
            two_lines(&output).contains(words),
            "{more:?}: {}",
            text(&output.stderr)
        );
    }
}
