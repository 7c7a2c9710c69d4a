use super::*;
use gaitway_core::testing::swinging_clip;

fn clips() -> Vec<Clip> {
    [
        "data/16/16_01",
        "data/17/17_01",
        "data/robot#Walk",
        "data/robot#Run",
    ]
    .map(|n| swinging_clip(n, 60, 30.0))
    .to_vec()
}

fn spans(text: &str, folder: &str) -> Result<(Vec<Vec<LabelSpan>>, Warnings), LabelsError> {
    let mut warnings = Warnings::new();
    let clips = Labels::from_csv(text, "l.csv", folder)?.apply(clips(), &mut warnings)?;
    Ok((
        clips.iter().map(|c| c.labels().spans().to_vec()).collect(),
        warnings,
    ))
}

#[test]
fn rows_find_their_clips() {
    let text = "file,label,start_s,end_s\n16/16_01.bvh,walk,0.5,1.0\n17_01.bvh,run,,\nrobot.glb,robot,,\nrobot.glb#Run,fast,,1\nx/y.bvh,z,,\n";
    let (found, warnings) = spans(text, "data").expect("read");
    assert_eq!(
        found[0],
        [LabelSpan {
            start: 15,
            end: 30,
            label: "walk".into()
        }]
    );
    assert_eq!(
        found[1],
        [LabelSpan {
            start: 0,
            end: 60,
            label: "run".into()
        }]
    );
    assert_eq!(found[2].len(), 1);
    assert_eq!(found[3].len(), 2);
    let told: Vec<&str> = warnings.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(
        told,
        ["l.csv labels 1 files that are not among the clips: x/y.bvh"]
    );
}

/// Files that were dropped on a page, or named one by one, have no folders any more.
#[test]
fn rows_with_folders_find_clips_without() {
    let names = ["16_01", "b", "b#run"].map(String::from);
    let text = "file,label\ncmu/16/16_01.bvh,walk\none/b.glb,jump\ncmu/16/16_02.bvh,run\n";
    let labels = Labels::from_csv(text, "l.csv", "").expect("read");
    let found = labels.proposals(&names).expect("fits");
    let found: Vec<(usize, &str)> = found.iter().map(|(at, r)| (*at, &r.label[..])).collect();
    assert_eq!(found, [(0, "walk"), (1, "jump"), (2, "jump")]);
    // Two files of one name: nobody knows which was meant.
    let both = format!("{text}other/16_01.bvh,run\n");
    let labels = Labels::from_csv(&both, "l.csv", "").expect("read");
    let found = labels.proposals(&names).expect("fits");
    assert!(found.iter().all(|(at, _)| *at != 0), "{found:?}");
}

#[test]
fn times_past_the_end_are_told() {
    // Clips of two seconds.
    let text = "file,label,start_s,end_s\n16_01.bvh,walk,0.5,3\n16_01.bvh,run,1,999\n17_01.bvh,sit,50,60\n";
    let (found, warnings) = spans(text, "data").expect("read");
    let frames: Vec<_> = found[0].iter().map(|s| (s.start, s.end)).collect();
    assert_eq!(frames, [(15, 60), (30, 60)]);
    assert!(found[1].is_empty());
    let told: Vec<&str> = warnings.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(
        told,
        [
            "label `run` ends at 999 s, 997.0 s after the end of `data/16/16_01`; it lasts as long as the clip does",
            "label `sit` begins at 50 s, after the end of `data/17/17_01`; left out"
        ]
    );
}

#[test]
fn bad_rows_name_their_line() {
    let head = "file,label,start_s,end_s\n";
    for (rows, line, part) in [
        ("16_01,walk,1,0.5\n", 2, "not after"),
        ("16_01,walk,,\n16_01,walk,x,\n", 3, "`x`"),
        ("16_01,,,\n", 2, "empty"),
        ("# a note\n\n16_01,,,\n", 4, "empty"),
        ("16_01,walk,-1,\n", 2, "seconds"),
    ] {
        match spans(&format!("{head}{rows}"), "").expect_err("bad row") {
            LabelsError::Row { line: l, what, .. } => {
                assert_eq!(l, line);
                assert!(what.contains(part), "{what}");
            }
            other => panic!("{other}"),
        }
    }
    assert!(matches!(
        spans("a,b\nc,d\n", ""),
        Err(LabelsError::Row { line: 1, .. })
    ));
    assert!(matches!(
        spans("file,label\nnone,d\n", ""),
        Err(LabelsError::MatchNothing { rows: 1, .. })
    ));
}

#[test]
fn patterns_fit() {
    for (pattern, text, yes) in [
        ("walk*", "walk_01", true),
        ("*_??", "walk_01", true),
        ("*a*b", "xaxxab", true),
        ("?", "ab", false),
        ("", "", true),
    ] {
        assert_eq!(
            fits(pattern.as_bytes(), text.as_bytes()),
            yes,
            "{pattern} {text}"
        );
    }
    let mut warnings = Warnings::new();
    let clips = Labels::none()
        .with_pattern("16_*", "walk")
        .with_pattern("Nothing*", "none")
        .apply(clips(), &mut warnings)
        .expect("labelled");
    assert_eq!(warnings.len(), 1);
    assert!(warnings.has(WarningCode::UnusedLabelPattern));
    assert_eq!(clips[0].labels().spans().len(), 1);
    assert!(clips[1].labels().is_empty());
}

#[test]
fn the_moment_of_an_action_may_be_written_down() {
    let text = "file,label,start_s,end_s,@\n16_01,sit,0.5,1.5,0.8\n17_01,sit,,,\n";
    let labels = Labels::from_csv(text, "l.csv", "data").expect("read");
    let clips = labels.label(clips()).expect("fits");
    let moments = clips[0].labels().moments();
    assert_eq!((moments.len(), moments[0].frame), (1, 24));
    assert!(clips[1].labels().moments().is_empty());
    let outside = "file,label,start_s,end_s,@\n16_01,sit,0.5,1.5,1.7\n";
    let error = Labels::from_csv(outside, "l.csv", "data").expect_err("outside");
    assert!(error.to_string().contains("l.csv:2"), "{error}");
}

proptest::proptest! {
    /// What is proposed is what is put on: the same clips, the same labels, the same frames.
    #[test]
    fn proposals_are_what_is_put_on(
        rows in proptest::collection::vec((0..6_usize, 0..3_usize, 0..40_u32, 1..40_u32, proptest::bool::ANY), 0..8),
        pattern in proptest::sample::select(vec!["*", "16*", "ROBOT*", "?7_01", "none"]),
    ) {
        let files = ["16/16_01.bvh", "17_01", "robot.glb", "robot.glb#Run", "data/16/16_01.bvh", "17/17_01.amc"];
        let mut text = String::from("file,label,start_s,end_s\n");
        for (file, label, from, long, whole) in rows {
            let times = if whole {
                ",".to_owned()
            } else {
                format!("{:.4},{:.4}", f64::from(from) / 30.0, f64::from(from + long) / 30.0)
            };
            text.push_str(&format!("{},{},{times}\n", files[file], ["walk", "run", "sit"][label]));
        }
        let labels = Labels::from_csv(&text, "l.csv", "data").expect("read").with_pattern(pattern, "named");
        let clips = clips();
        let names: Vec<String> = clips.iter().map(|c| c.name().to_owned()).collect();
        let mut spans: Vec<Vec<LabelSpan>> = vec![Vec::new(); clips.len()];
        for (at, row) in labels.proposals(&names).expect("fits") {
            let frame = |s: f64| ((s * 30.0).round() as usize).min(60);
            spans[at].push(LabelSpan {
                start: row.start_s.map_or(0, frame),
                end: row.end_s.map_or(60, frame),
                label: row.label,
            });
        }
        let put_on = labels.label(clips).expect("fits");
        for (clip, spans) in put_on.iter().zip(spans) {
            proptest::prop_assert_eq!(clip.labels(), &LabelTrack::new(spans));
        }
    }
}
