//! A humanoid in an unnamed tree, by shape and motion.
//!
//! The two lowest ends are feet; where the ways up from them meet is the pelvis; of the bodies above it the one with the two limbs
//! most alike is the chest, these are arms, the highest other is the head. Knees bend forward and people mostly go forward: that tells
//! left from right.

use glam::DVec3;

use crate::tree::rooted;

/// What is known of an unnamed tree.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// Which bodies are joined.
    pub edges: &'a [(usize, usize)],
    /// Where the middle of each body is, per frame looked at, Y up.
    pub centres: &'a [Vec<DVec3>],
}

/// Names of all bodies, and which is the pelvis; `None` where the tree is not that of a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Humanoid {
    /// One name per body.
    pub names: Vec<String>,
    /// The body to hang all on.
    pub pelvis: usize,
}

const LEG: [&str; 4] = ["UpLeg", "Leg", "Foot", "ToeBase"];
const ARM: [&str; 4] = ["Shoulder", "Arm", "ForeArm", "Hand"];

/// Finds a person in a tree.
pub fn humanoid(shape: Shape<'_>) -> Option<Humanoid> {
    let count = shape.centres.first()?.len();
    let near = |k: usize| {
        let other = move |e: &(usize, usize)| match k {
            k if k == e.0 => Some(e.1),
            k if k == e.1 => Some(e.0),
            _ => None,
        };
        shape.edges.iter().filter_map(other)
    };
    let frames = shape.centres.len() as f64;
    let height = |k: usize| shape.centres.iter().map(|f| f[k].y).sum::<f64>() / frames;
    let mut ends: Vec<usize> = (0..count).filter(|&k| near(k).count() == 1).collect();
    ends.sort_by(|&a, &b| height(a).total_cmp(&height(b)));
    let &[foot, other, ..] = ends.as_slice() else {
        return None;
    };
    let (parents, order) = rooted(count, shape.edges, foot);
    if order.len() != count {
        return None;
    }
    let mut way = vec![other];
    while let Some(up) = parents[way[way.len() - 1]] {
        way.push(up);
    }
    // The pelvis: the body on the way from foot to foot that something else hangs on, nearest to the middle.
    let pelvis_at = (1..way.len().saturating_sub(1))
        .filter(|&k| near(way[k]).count() >= 3)
        .min_by_key(|&k| (2 * k).abs_diff(way.len() - 1))?;
    let (down, up) = (pelvis_at, way.len() - 1 - pelvis_at);
    if down.min(up) < 2 || down.abs_diff(up) > 1 {
        return None;
    }
    let pelvis = way[pelvis_at];
    let mut legs = [
        way[..pelvis_at].iter().rev().copied().collect::<Vec<_>>(),
        way[pelvis_at + 1..].to_vec(),
    ];
    let (parents, order) = rooted(count, shape.edges, pelvis);
    let (parents, order) = (&parents, &order);
    let children = |k: usize| {
        order
            .iter()
            .copied()
            .filter(move |&c| parents[c] == Some(k))
    };
    let deepest = |k: usize| deepest_chain(k, &children);
    if forwardness(shape.centres, pelvis, &legs) < 0.0 {
        legs.swap(0, 1);
    }
    let mut names = vec![String::new(); count];
    names[pelvis] = "Hips".to_owned();
    for (leg, side) in legs.iter().zip(["Left", "Right"]) {
        for (k, &body) in leg.iter().enumerate() {
            names[body] = numbered(side, &LEG, k);
        }
    }
    let trunk = children(pelvis).filter(|c| legs.iter().all(|l| l[0] != *c));
    // What reaches highest is the trunk; a prop on the belt is not.
    let trunk = trunk.max_by(|&a, &b| {
        let top = |k: usize| {
            deepest(k)
                .iter()
                .map(|&b| height(b))
                .fold(f64::MIN, f64::max)
        };
        top(a).total_cmp(&top(b))
    })?;
    let length = |from: usize, limb: &[usize]| -> f64 {
        let chain: Vec<usize> = [from].into_iter().chain(limb.iter().copied()).collect();
        let apart =
            |f: &Vec<DVec3>| -> f64 { chain.windows(2).map(|w| f[w[0]].distance(f[w[1]])).sum() };
        shape.centres.iter().map(apart).sum::<f64>() / frames
    };
    // The chest has the two limbs most alike: arms may hang on a body of their own beside the neck.
    let mut best: Option<(f64, usize, [Vec<usize>; 2])> = None;
    for &body in order.iter().filter(|&&b| is_below(b, trunk, parents)) {
        let limbs: Vec<Vec<usize>> = children(body).map(&deepest).collect();
        for i in 0..limbs.len() {
            for j in i + 1..limbs.len() {
                let (a, b) = (&limbs[i], &limbs[j]);
                let (la, lb) = (length(body, a), length(body, b));
                // Alike, and long: a head of one body is like nothing else.
                let unlike = (la - lb).abs() / la.max(lb).max(1e-6)
                    + a.len().abs_diff(b.len()) as f64
                    - 0.1 * a.len().min(b.len()) as f64;
                if best.as_ref().is_none_or(|(c, ..)| unlike < *c) {
                    best = Some((unlike, body, [a.clone(), b.clone()]));
                }
            }
        }
    }
    let (_, chest, mut arms) = best?;
    let mut spine = vec![chest];
    while let Some(above) = parents[spine[0]].filter(|&p| p != pelvis) {
        spine.insert(0, above);
    }
    for (k, &body) in spine.iter().enumerate() {
        names[body] = match k {
            0 => "Spine".to_owned(),
            k => format!("Spine{k}"),
        };
    }
    let across = |f: &Vec<DVec3>| {
        let hips = f[legs[0][0]] - f[legs[1][0]];
        let arms = f[arms[0][0]] - f[arms[1][0]];
        hips.dot(arms)
    };
    if shape.centres.iter().map(across).sum::<f64>() < 0.0 {
        arms.swap(0, 1);
    }
    for (arm, side) in arms.iter().zip(["Left", "Right"]) {
        let skip = usize::from(arm.len() < 4);
        for (k, &body) in arm.iter().enumerate() {
            names[body] = numbered(side, &ARM[skip..], k);
        }
    }
    let beside = spine.iter().flat_map(|&b| children(b));
    let others = beside.filter(|&b| names[b].is_empty()).map(&deepest);
    let head = others.max_by(|a, b| {
        let top = |limb: &[usize]| height(limb[limb.len() - 1]);
        top(a).total_cmp(&top(b))
    });
    if let Some(chain) = head {
        for (k, &body) in chain.iter().enumerate() {
            names[body] = match (k + 1 == chain.len(), k) {
                (true, _) => "Head".to_owned(),
                (false, 0) => "Neck".to_owned(),
                (false, k) => format!("Neck{k}"),
            };
        }
    }
    // What else there is, is called by what it hangs on.
    let mut extra = 0;
    for &body in order {
        if names[body].is_empty() {
            extra += 1;
            let above = parents[body].map_or(String::new(), |p| names[p].clone());
            names[body] = format!("{above}_part{extra}");
        }
    }
    Some(Humanoid { names, pelvis })
}

/// Whether a body is another, or hangs below it.
fn is_below(body: usize, above: usize, parents: &[Option<usize>]) -> bool {
    let mut at = Some(body);
    while let Some(k) = at {
        if k == above {
            return true;
        }
        at = parents[k];
    }
    false
}

fn numbered(side: &str, parts: &[&str], k: usize) -> String {
    match parts.get(k) {
        Some(part) => format!("{side}{part}"),
        None => format!("{side}{}{}", parts[parts.len() - 1], k + 1 - parts.len()),
    }
}

/// The longest chain from a body down.
fn deepest_chain<I: Iterator<Item = usize>>(
    from: usize,
    children: &impl Fn(usize) -> I,
) -> Vec<usize> {
    let mut best = Vec::new();
    for child in children(from) {
        let chain = deepest_chain(child, children);
        if chain.len() > best.len() {
            best = chain;
        }
    }
    best.insert(0, from);
    best
}

/// Above 0 where the first leg is the left one: knees are then in front of the line from hip to ankle, and the body goes forward.
fn forwardness(centres: &[Vec<DVec3>], pelvis: usize, legs: &[Vec<usize>; 2]) -> f64 {
    /// Travel is weaker evidence than knees: people also walk backwards.
    const TRAVEL: f64 = 0.25;
    let (mut knees, mut travel) = (0.0, 0.0);
    for (k, frame) in centres.iter().enumerate() {
        let across = frame[legs[0][0]] - frame[legs[1][0]];
        let forward = across.cross(DVec3::Y).normalize_or_zero();
        for leg in legs {
            let end = leg[leg.len().min(3) - 1];
            let middle = (frame[pelvis] + frame[end]) / 2.0;
            let knee = (frame[leg[0]] + frame[leg[1]]) / 2.0;
            knees += (knee - middle).dot(forward);
        }
        if let Some(next) = centres.get(k + 1) {
            travel += (next[pelvis] - frame[pelvis]).dot(forward);
        }
    }
    let n = centres.len().max(1) as f64;
    knees / n + TRAVEL * travel / n
}
