//! Whatever the bytes, the reader gives a clip whose arrays fit or an error; it never panics.

use gaitway_io::bvh;
use proptest::prelude::*;

const VALID: &str = "HIERARCHY\r\nROOT Hips\r\n{\r\n\tOFFSET 0.0 1.5 0\r\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation \
    Yrotation Xrotation\r\n\tJOINT Left Arm\r\n\t{\r\n\t\tOFFSET 1e1 -2 3\r\n\t\tCHANNELS 3 Zrotation Yrotation Xrotation\r\n\
    \t\tEnd Site\r\n\t\t{\r\n\t\t\tOFFSET 0 0 1\r\n\t\t}\r\n\t}\r\n}\r\nMOTION\r\nFrames: 3\r\nFrame Time: .0083333\r\n\
    1 2 3 4 5 6 7 8 9\r\n1.5 2.25 -3.125 0.0001 5e-3 6 7 8 123456.789012\r\n1 2 3 4 5 6 7 8 9\r\n";

/// Pieces that mean something to the parser.
const WORDS: [&str; 24] = [
    "HIERARCHY",
    "ROOT",
    "JOINT",
    "End Site",
    "OFFSET",
    "CHANNELS",
    "MOTION",
    "Frames:",
    "Frame Time:",
    "{",
    "}",
    "\n",
    "\r",
    " ",
    "Xposition",
    "Zrotation",
    "0",
    "-1.5",
    "1e400",
    "nan",
    "99999999999",
    "0.033",
    "Yscale",
    "6",
];

fn look(bytes: &[u8]) {
    if let Ok((clip, layout)) = bvh::read("any.bvh", bytes) {
        let frames = clip.root.len();
        assert!(frames > 0 && clip.rate_hz.is_finite() && clip.rate_hz > 0.0);
        assert_eq!(clip.rotations.len(), frames * clip.joints.len());
        assert!(
            clip.translations
                .iter()
                .all(|t| t.values.len() == frames && t.joint > 0)
        );
        assert!(clip.rotations.iter().all(|q| q.is_normalized()));
        assert!(clip.root.iter().all(|p| p.is_finite()));
        assert_eq!(layout.joints.len(), clip.joints.len());
        for (j, joint) in clip.joints.iter().enumerate() {
            assert!(joint.parent.map_or(j == 0, |p| p < j));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        look(&bytes);
    }

    #[test]
    fn any_words(words in proptest::collection::vec(0..WORDS.len(), 0..120)) {
        let text: Vec<&str> = words.iter().map(|&w| WORDS[w]).collect();
        look(text.join(" ").as_bytes());
        look(format!("HIERARCHY ROOT a\n{{ CHANNELS 2 Xrotation Yposition {}", text.join(" ")).as_bytes());
        look(format!("HIERARCHY ROOT a\n{{ CHANNELS 2 Xrotation Yposition }} MOTION Frames: 2 Frame Time: 0.1\n{}",
            text.join(" ")).as_bytes());
    }

    #[test]
    fn mutations_of_a_valid_file(
        changes in proptest::collection::vec((0..VALID.len(), any::<u8>(), 0..4_u8), 1..6),
        cut in 0..VALID.len(),
    ) {
        let mut bytes = VALID.as_bytes().to_vec();
        for (at, byte, kind) in changes {
            let at = at.min(bytes.len().saturating_sub(1));
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => drop(bytes.remove(at)),
                _ => {
                    let word = WORDS[byte as usize % WORDS.len()];
                    bytes.splice(at..at, word.bytes());
                }
            }
        }
        look(&bytes);
        look(&bytes[..cut.min(bytes.len())]);
    }
}

#[test]
fn every_beginning_of_a_valid_file() {
    look(VALID.as_bytes());
    assert!(bvh::read("valid.bvh", VALID.as_bytes()).is_ok());
    // Up to the first frame's last number there is no motion in it.
    let rows = VALID.find("Frame Time").expect("a header");
    let first = rows + VALID[rows..].find('\n').expect("a row after it") + 1;
    for end in 0..VALID.len() {
        let part = &VALID.as_bytes()[..end];
        look(part);
        assert!(
            end > first || bvh::read("part.bvh", part).is_err(),
            "up to byte {end}"
        );
    }
}
