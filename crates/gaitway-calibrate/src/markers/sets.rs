//! Marker names of the common sets: which body each sits on, and which points are computed and no markers.

/// Bodies of a person that markers name, parents first, with what each hangs on.
pub(crate) const BODIES: [(&str, Option<&str>); 15] = [
    ("Hips", None),
    ("Spine", Some("Hips")),
    ("Head", Some("Spine")),
    ("LeftArm", Some("Spine")),
    ("LeftForeArm", Some("LeftArm")),
    ("LeftHand", Some("LeftForeArm")),
    ("RightArm", Some("Spine")),
    ("RightForeArm", Some("RightArm")),
    ("RightHand", Some("RightForeArm")),
    ("LeftUpLeg", Some("Hips")),
    ("LeftLeg", Some("LeftUpLeg")),
    ("LeftFoot", Some("LeftLeg")),
    ("RightUpLeg", Some("Hips")),
    ("RightLeg", Some("RightUpLeg")),
    ("RightFoot", Some("RightLeg")),
];

/// Names without a side.
const MIDDLE: &[(&str, &str)] = &[
    ("c7", "Spine"),
    ("t10", "Spine"),
    ("t8", "Spine"),
    ("clav", "Spine"),
    ("strn", "Spine"),
    ("sternum", "Spine"),
    ("xiph", "Spine"),
    ("sacr", "Hips"),
    ("sacrum", "Hips"),
    ("vsacral", "Hips"),
    ("ariel", "Head"),
    ("tophead", "Head"),
];

/// Names behind a side's letter.
const SIDED: &[(&str, &str)] = &[
    ("fhd", "Head"),
    ("bhd", "Head"),
    ("temple", "Head"),
    ("bac", "Spine"),
    ("bak", "Spine"),
    ("sho", "Spine"),
    ("acromium", "Spine"),
    ("acromion", "Spine"),
    ("upa", "Arm"),
    ("bicep", "Arm"),
    ("elb", "Arm"),
    ("elbow", "Arm"),
    ("frm", "ForeArm"),
    ("fra", "ForeArm"),
    ("wra", "ForeArm"),
    ("wrb", "ForeArm"),
    ("wristmed", "ForeArm"),
    ("wristlat", "ForeArm"),
    ("fin", "Hand"),
    ("thm", "Hand"),
    ("fwt", "Hips"),
    ("bwt", "Hips"),
    ("asi", "Hips"),
    ("asis", "Hips"),
    ("psi", "Hips"),
    ("psis", "Hips"),
    ("thi", "UpLeg"),
    ("kne", "UpLeg"),
    ("knein", "UpLeg"),
    ("th1", "UpLeg"),
    ("th2", "UpLeg"),
    ("th3", "UpLeg"),
    ("thighupper", "UpLeg"),
    ("thighfront", "UpLeg"),
    ("thighrear", "UpLeg"),
    ("lfc", "UpLeg"),
    ("mfc", "UpLeg"),
    ("shn", "Leg"),
    ("tib", "Leg"),
    ("ank", "Leg"),
    ("ankin", "Leg"),
    ("tb1", "Leg"),
    ("tb2", "Leg"),
    ("tb3", "Leg"),
    ("lmal", "Leg"),
    ("mmal", "Leg"),
    ("shankupper", "Leg"),
    ("shankfront", "Leg"),
    ("shankrear", "Leg"),
    ("hee", "Foot"),
    ("heel", "Foot"),
    ("toe", "Foot"),
    ("mt1", "Foot"),
    ("mt2", "Foot"),
    ("mt5", "Foot"),
    ("cal", "Foot"),
    ("midfootsup", "Foot"),
    ("midfootlat", "Foot"),
    ("toetip", "Foot"),
    ("toelat", "Foot"),
    ("toemed", "Foot"),
];

/// Segments whose computed axes are stored as points (`LFEO`, `LFEA`, `LFEL`, `LFEP`).
const COMPUTED: &[&str] = &[
    "cl", "fe", "fo", "hn", "hu", "ra", "ti", "to", "hed", "pel", "trx", "spi", "tho",
];

/// A name without its subject, in lower case, letters and digits alone.
pub(super) fn bare(name: &str) -> String {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    let kept = name.chars().filter(|c| c.is_ascii_alphanumeric());
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

/// The body that a marker of a common set sits on.
pub(crate) fn body_of(name: &str) -> Option<String> {
    let name = bare(name);
    let look = |list: &[(&str, &str)], word: &str| {
        let found = list.iter().find(|(n, _)| *n == word);
        found.map(|(_, body)| (*body).to_owned())
    };
    if let Some(body) = look(MIDDLE, &name) {
        return Some(body);
    }
    let side = match name.chars().next()? {
        'l' => "Left",
        'r' => "Right",
        _ => return None,
    };
    let body = look(SIDED, &name[1..])?;
    Some(match body.as_str() {
        "Head" | "Spine" | "Hips" => body,
        _ => format!("{side}{body}"),
    })
}

/// What a point is where its name says that it was computed and never seen by a camera.
pub(crate) fn computed(name: &str) -> Option<&'static str> {
    let word = bare(name);
    let ends = |list: &[&str]| list.iter().any(|e| word.ends_with(e));
    if ends(&["angles", "angle"]) {
        return Some("an angle");
    }
    if ends(&["power", "powers"]) {
        return Some("a power");
    }
    if ends(&["moment", "moments", "torque"]) {
        return Some("a moment");
    }
    if ends(&["force", "forces", "grf", "cop"]) {
        return Some("a force");
    }
    if ends(&["jc", "hipcenter", "hipcentre", "jointcenter", "jointcentre"]) {
        return Some("a computed joint centre");
    }
    if word.contains("centreofmass") || word.contains("centerofmass") {
        return Some("a computed centre of mass");
    }
    // `LFEO`: a side, a segment, and one of its axes.
    let segment = word.strip_suffix(['o', 'a', 'l', 'p'])?;
    let sided = segment.strip_prefix(['l', 'r']).unwrap_or(segment);
    let known = COMPUTED.contains(&sided) && (sided.len() == 3 || sided.len() < segment.len());
    (known && body_of(name).is_none()).then_some("a computed axis of a segment")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_common_sets_are_known() {
        for (name, body) in [
            ("LFWT", "Hips"),
            ("Subject:RASI", "Hips"),
            ("LKNE", "LeftUpLeg"),
            ("R.Thigh.Front", "RightUpLeg"),
            ("RTB3", "RightLeg"),
            ("L.Toe.Tip", "LeftFoot"),
            ("C7", "Spine"),
            ("Top.Head", "Head"),
            ("LTOE", "LeftFoot"),
            ("LHEE", "LeftFoot"),
        ] {
            assert_eq!(body_of(name).as_deref(), Some(body), "{name}");
            assert_eq!(computed(name), None, "{name}");
        }
        for name in [
            "LHipAngles",
            "RKneePower",
            "LGroundReactionForce",
            "LHJC",
            "PELO",
            "RFEP",
            "TRXA",
            "HEDL",
            "LCLO",
            "CentreOfMassFloor",
            "LNormalisedGRF",
            "LTOP",
            "LeftHipCenter",
            "RTIO",
        ] {
            assert!(computed(name).is_some(), "{name}");
            assert_eq!(body_of(name), None, "{name}");
        }
        assert_eq!(body_of("Channel101"), None);
        assert_eq!(computed("Channel101"), None);
    }
}
