//! Body parts from joint names.

use super::{Anatomy, Arm, Leg};
use crate::{JointIdx, PointIdx, Skeleton};

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The body's own left.
    Left,
    /// The body's own right.
    Right,
}

impl Side {
    /// Left is 0, right is 1, as in the pairs of [`Anatomy`].
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Words that stand for parts; a joint name made of a side letter and one of these is split (`lfemur`).
const PART_WORDS: &[&str] = &[
    "hipjoint",
    "femur",
    "tibia",
    "foot",
    "toes",
    "toe",
    "clavicle",
    "humerus",
    "radius",
    "wrist",
    "hand",
    "fingers",
    "thumb",
    "thigh",
    "shin",
    "calf",
    "ankle",
    "knee",
    "hip",
    "shoulder",
    "elbow",
    "collar",
    "upleg",
    "leg",
    "arm",
    "forearm",
    "shldr",
    "buttock",
    "upperarm",
    "lowerarm",
    "upperleg",
    "lowerleg",
    "shank",
    "uparm",
    "loarm",
    "upperleg",
    "ball",
    "toebase",
    "heel",
    "eye",
    "finger",
    "palm",
    "thighroll",
];

/// A joint's name as lower-case words, the side first where it was glued on: `mixamorig:LeftUpLeg` gives
/// `left`, `up`, `leg`.
pub fn words(name: &str) -> Vec<String> {
    let bare = name.rsplit([':', '|']).next().unwrap_or(name);
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before: Option<char> = None;
    for c in bare.chars() {
        let starts_word = before.is_some_and(|b| {
            (b.is_lowercase() && c.is_uppercase()) || (b.is_ascii_digit() != c.is_ascii_digit())
        });
        if (!c.is_alphanumeric() || starts_word) && !word.is_empty() {
            out.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        before = Some(c);
    }
    if !word.is_empty() {
        out.push(word);
    }
    out.into_iter().flat_map(split_glued_side).collect()
}

/// `lfemur` → `l`, `femur`; `leftfoot` → `left`, `foot`; `LToe` came as `ltoe`.
fn split_glued_side(word: String) -> Vec<String> {
    for side in ["left", "right", "l", "r"] {
        if let Some(rest) = word.strip_prefix(side)
            && PART_WORDS.contains(&rest)
            && !PART_WORDS.contains(&word.as_str())
        {
            return vec![side.to_owned(), rest.to_owned()];
        }
    }
    vec![word]
}

/// The side a joint's name speaks of, if any.
pub fn side_of(name: &str) -> Option<Side> {
    let words = words(name);
    let says = |list: [&str; 2]| words.iter().any(|w| list.contains(&w.as_str()));
    match (says(["left", "l"]), says(["right", "r"])) {
        (true, false) => Some(Side::Left),
        (false, true) => Some(Side::Right),
        _ => None,
    }
}

/// A label with left and right swapped as words: `turn-left` becomes `turn-right`.
pub fn swap_side_in_label(label: &str) -> String {
    let mut out = String::with_capacity(label.len());
    let mut word = String::new();
    let flush = |word: &mut String, out: &mut String| {
        out.push_str(match word.as_str() {
            "left" => "right",
            "right" => "left",
            "Left" => "Right",
            "Right" => "Left",
            "LEFT" => "RIGHT",
            "RIGHT" => "LEFT",
            other => other,
        });
        word.clear();
    };
    for c in label.chars() {
        if c.is_alphanumeric() {
            word.push(c);
        } else {
            flush(&mut word, &mut out);
            out.push(c);
        }
    }
    flush(&mut word, &mut out);
    out
}

/// What a name says besides its side, words joined: `leftupleg` → `upleg`.
fn part_of(name: &str) -> String {
    let kept = words(name).into_iter().filter(|w| {
        !matches!(
            w.as_str(),
            "left" | "right" | "l" | "r" | "joint" | "bip" | "bone" | "jnt" | "def" | "b"
        ) && !w.chars().all(|c| c.is_ascii_digit())
    });
    kept.collect::<Vec<_>>().concat()
}

const THIGH: &[&str] = &[
    "upleg", "upperleg", "thigh", "femur", "hip", "legup", "legupper", "buttock",
];
const SHIN: &[&str] = &[
    "leg", "lowleg", "lowerleg", "shin", "calf", "tibia", "knee", "shank", "leglower",
];
const FOOT: &[&str] = &["foot", "ankle", "feet"];
const TOE: &[&str] = &["toe", "toebase", "toes", "ball", "balltoe"];
const UPPER_ARM: &[&str] = &[
    "arm", "upperarm", "humerus", "shoulder", "uparm", "shldr", "armupper",
];
const FOREARM: &[&str] = &[
    "forearm", "lowerarm", "radius", "elbow", "loarm", "armlower", "lowarm",
];
const HAND: &[&str] = &["hand", "wrist", "palm"];

/// All parts that names give.
pub(super) fn find(skeleton: &Skeleton) -> Anatomy {
    let legs = [Side::Left, Side::Right].map(|side| leg(skeleton, side));
    let arms = [Side::Left, Side::Right].map(|side| arm(skeleton, side));
    let head = skeleton
        .joints()
        .find(|&j| part_of(skeleton.name(j)) == "head");
    let pelvis = match legs {
        [Some(l), Some(r)] => common_ancestor(skeleton, l.hip, r.hip),
        _ => JointIdx::ROOT,
    };
    Anatomy {
        pelvis,
        legs,
        arms,
        head,
    }
}

fn leg(skeleton: &Skeleton, side: Side) -> Option<Leg> {
    let ankle = candidates(skeleton, side, FOOT).next()?;
    // From the foot upwards the order is fixed, so "leg" above "foot" is the shin even where another
    // "leg" (a thigh) stands above it.
    let knee = nearest_above(skeleton, ankle, SHIN)?;
    // A "hip" in the middle of the body is the pelvis: a thigh on this side comes first, whatever it is called.
    let hip = nearest_above_on(skeleton, knee, side, THIGH)
        .or_else(|| nearest_above_on(skeleton, knee, side, SHIN))
        .or_else(|| nearest_above(skeleton, knee, THIGH))?;
    let (toe, tip) = foot_front(skeleton, ankle);
    Some(Leg {
        hip,
        knee,
        ankle,
        toe,
        tip,
    })
}

/// A joint named foot on a side and the foremost point below it, also where it hangs on no leg (rigs
/// whose feet are moved by themselves and pull the legs along).
pub fn named_foot(skeleton: &Skeleton, side: Side) -> Option<(JointIdx, Option<PointIdx>)> {
    let foot = candidates(skeleton, side, FOOT).next()?;
    let (toe, tip) = foot_front(skeleton, foot);
    Some((foot, tip.or(toe.map(PointIdx::from))))
}

/// The ball joint and the foremost point below an ankle.
pub(super) fn foot_front(
    skeleton: &Skeleton,
    ankle: JointIdx,
) -> (Option<JointIdx>, Option<PointIdx>) {
    let below: Vec<JointIdx> = descendants(skeleton, ankle);
    let toe = below
        .iter()
        .copied()
        .find(|&j| TOE.contains(&part_of(skeleton.name(j)).as_str()))
        .or_else(|| below.first().copied());
    let holder = toe.unwrap_or(ankle);
    let site = (0..skeleton.end_sites().len())
        .find(|&i| is_at_or_below(skeleton, skeleton.end_sites()[i].parent, holder));
    let tip = site
        .map(|i| skeleton.end_site_point(i))
        .or(toe.map(PointIdx::from));
    (toe, tip)
}

fn arm(skeleton: &Skeleton, side: Side) -> Option<Arm> {
    let wrist = candidates(skeleton, side, HAND).next()?;
    let elbow = nearest_above(skeleton, wrist, FOREARM)?;
    let shoulder = nearest_above(skeleton, elbow, UPPER_ARM)?;
    Some(Arm {
        shoulder,
        elbow,
        wrist,
    })
}

fn candidates<'a>(
    skeleton: &'a Skeleton,
    side: Side,
    parts: &'a [&'a str],
) -> impl Iterator<Item = JointIdx> + 'a {
    skeleton.joints().filter(move |&j| {
        let name = skeleton.name(j);
        side_of(name) == Some(side) && parts.contains(&part_of(name).as_str())
    })
}

fn nearest_above(skeleton: &Skeleton, joint: JointIdx, parts: &[&str]) -> Option<JointIdx> {
    let mut at = skeleton.parent(joint);
    while let Some(j) = at {
        if parts.contains(&part_of(skeleton.name(j)).as_str()) {
            return Some(j);
        }
        at = skeleton.parent(j);
    }
    None
}

/// [`nearest_above`] among the joints of one side.
fn nearest_above_on(
    skeleton: &Skeleton,
    joint: JointIdx,
    side: Side,
    parts: &[&str],
) -> Option<JointIdx> {
    let mut at = skeleton.parent(joint);
    while let Some(j) = at {
        let name = skeleton.name(j);
        if side_of(name) == Some(side) && parts.contains(&part_of(name).as_str()) {
            return Some(j);
        }
        at = skeleton.parent(j);
    }
    None
}

/// All joints below another, in joint order.
pub(super) fn descendants(skeleton: &Skeleton, joint: JointIdx) -> Vec<JointIdx> {
    skeleton
        .joints()
        .filter(|&j| j != joint && is_at_or_below(skeleton, j, joint))
        .collect()
}

/// Whether a joint is another or hangs on it.
pub fn is_at_or_below(skeleton: &Skeleton, joint: JointIdx, above: JointIdx) -> bool {
    let mut at = Some(joint);
    while let Some(j) = at {
        if j == above {
            return true;
        }
        at = skeleton.parent(j);
    }
    false
}

/// The lowest joint that both hang on.
pub(super) fn common_ancestor(skeleton: &Skeleton, a: JointIdx, b: JointIdx) -> JointIdx {
    let mut at = Some(a);
    while let Some(j) = at {
        if is_at_or_below(skeleton, b, j) {
            return j;
        }
        at = skeleton.parent(j);
    }
    JointIdx::ROOT
}
