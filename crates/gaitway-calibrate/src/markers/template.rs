//! A first model from joint centres: every body's points brought into one frame, and its pose in every key frame.

use glam::{DMat3, DQuat, DVec3};

use crate::linalg::{fit_rotation, mean_rotation};
use crate::model::{BodyPose, Model, ModelPoint};

/// Points of one body: places in its own frame, and the frame's rotation where enough was seen.
pub(super) struct Template {
    pub(super) points: Vec<DVec3>,
    /// Per frame the turn, and the points' middle in the template and in the world.
    pub(super) at: Vec<Option<(DQuat, DVec3, DVec3)>>,
}

/// The passes in which points and poses are fitted in turn: they settle within a few, which is when no point moves by more than this,
/// metres.
const PASSES: usize = 8;
const SETTLED_M: f64 = 1e-6;

impl Template {
    /// `items[k][t]` is where point k is in frame t.
    pub(super) fn of(items: &[Vec<Option<DVec3>>]) -> Option<Self> {
        let frames = items.first()?.len();
        let seen = |t: usize| items.iter().filter(|i| i[t].is_some()).count();
        let reference = (0..frames).max_by_key(|&t| (seen(t), std::cmp::Reverse(t)))?;
        let mut points: Vec<Option<DVec3>> = items.iter().map(|i| i[reference]).collect();
        let mut turns = vec![None; frames];
        for _ in 0..PASSES {
            let mut sums = vec![(DVec3::ZERO, 0.0); items.len()];
            for (t, turn) in turns.iter_mut().enumerate() {
                let pairs: Vec<(DVec3, DVec3, f64)> = (items.iter().zip(&points))
                    .filter_map(|(i, p)| Some(((*p)?, i[t]?, 1.0)))
                    .collect();
                if pairs.len() < 3 {
                    *turn = None;
                    continue;
                }
                let (q, a, b) = fit_rotation(&pairs);
                *turn = Some((q, a, b));
                for (item, sum) in items.iter().zip(&mut sums) {
                    if let Some(x) = item[t] {
                        sum.0 += q.conjugate() * (x - b) + a;
                        sum.1 += 1.0;
                    }
                }
            }
            let mut moved = 0.0_f64;
            for (p, s) in points.iter_mut().zip(&sums) {
                if s.1 > 0.0 {
                    let next = s.0 / s.1;
                    moved = moved.max(p.map_or(f64::MAX, |p| p.distance(next)));
                    *p = Some(next);
                }
            }
            if moved < SETTLED_M {
                break;
            }
        }
        let points: Option<Vec<DVec3>> = points.into_iter().collect();
        Some(Self {
            points: points?,
            at: turns,
        })
    }
}

impl Template {
    /// How far points lie from their places in the frame, over what is left free: the standard deviation per axis that noise of them
    /// would have, metres. None where nothing is left free.
    ///
    /// Each frame's pose takes six numbers, and the places take three a point: a few points fit their own frame better than many do.
    pub(super) fn deviation_m(&self, items: &[Vec<Option<DVec3>>]) -> Option<f64> {
        let (mut sum, mut samples, mut frames) = (0.0, 0.0, 0.0);
        for (t, at) in self.at.iter().enumerate() {
            let Some((turn, from, to)) = at else { continue };
            frames += 1.0;
            for (item, local) in items.iter().zip(&self.points) {
                if let Some(x) = item[t] {
                    sum += (*turn * (*local - *from) + *to).distance_squared(x);
                    samples += 1.0;
                }
            }
        }
        let places = 3.0 * self.points.len() as f64 - 6.0;
        let free = 3.0 * samples - 6.0 * frames - places;
        (free > 0.0).then(|| (sum / free).sqrt())
    }
}

/// What the model is made from: bodies with parents first.
pub(crate) struct Pieces<'a> {
    pub(crate) parents: &'a [Option<usize>],
    /// Markers of each body.
    pub(crate) groups: &'a [Vec<usize>],
    /// Each body's joint with its parent per key frame; empty for the first.
    pub(crate) centres: &'a [Vec<Option<DVec3>>],
    /// Key frames.
    pub(crate) frames: &'a [Vec<Option<DVec3>>],
}

/// The model and its poses in key frames. Points of the model are the markers, body by body.
pub(crate) fn model_of(pieces: &Pieces<'_>) -> (Model, Vec<BodyPose>) {
    let bodies = pieces.parents.len();
    let frames = pieces.frames.len();
    let mut model = Model {
        parents: pieces.parents.to_vec(),
        offsets: vec![DVec3::ZERO; bodies],
        points: Vec::new(),
    };
    let mut turns: Vec<Vec<DQuat>> = vec![Vec::with_capacity(bodies); frames];
    for body in 0..bodies {
        let below: Vec<usize> = (0..bodies)
            .filter(|&c| pieces.parents[c] == Some(body))
            .collect();
        let own = pieces.parents[body].map(|_| body);
        let joints: Vec<usize> = own.into_iter().chain(below.iter().copied()).collect();
        let mut items: Vec<Vec<Option<DVec3>>> =
            joints.iter().map(|&j| pieces.centres[j].clone()).collect();
        for &m in &pieces.groups[body] {
            items.push(pieces.frames.iter().map(|r| r[m]).collect());
        }
        let template = if items.len() >= 3 {
            Template::of(&items)
        } else {
            None
        };
        let (points, found) = match template {
            Some(t) => (t.points, t.at.iter().map(|a| a.map(|a| a.0)).collect()),
            None => swung(&items, pieces.parents[body], &turns),
        };
        let parent = pieces.parents[body];
        let local: Vec<DQuat> = (0..frames)
            .filter_map(|t| {
                let above = parent.map_or(DQuat::IDENTITY, |p| turns[t][p]);
                Some(above.conjugate() * found[t]?)
            })
            .collect();
        let usual = mean_rotation(local);
        for (t, row) in turns.iter_mut().enumerate() {
            let above = parent.map_or(DQuat::IDENTITY, |p| row[p]);
            row.push(found[t].unwrap_or(above * usual));
        }
        // The body's origin: its joint, or the middle of those that hang on the first body.
        let at = |j: usize| joints.iter().position(|&k| k == j).map(|k| points[k]);
        let origin = own.and_then(at).unwrap_or_else(|| {
            let list: Vec<DVec3> = below.iter().filter_map(|&c| at(c)).collect();
            let all = if list.is_empty() { &points } else { &list };
            all.iter().sum::<DVec3>() / all.len().max(1) as f64
        });
        for &child in &below {
            model.offsets[child] = at(child).unwrap_or(origin) - origin;
        }
        for point in &points[joints.len()..] {
            model.points.push(ModelPoint {
                body,
                offset: *point - origin,
            });
        }
    }
    let poses = turns
        .into_iter()
        .enumerate()
        .map(|(t, turns)| {
            let mut pose = BodyPose {
                root: DVec3::ZERO,
                turns,
            };
            let points = model.points(&pose);
            let order = pieces.groups.iter().flatten();
            let off: Vec<DVec3> = (points.iter().zip(order))
                .filter_map(|(p, &m)| Some(pieces.frames[t][m]? - *p))
                .collect();
            pose.root = off.iter().sum::<DVec3>() / off.len().max(1) as f64;
            pose
        })
        .collect();
    (model, poses)
}

/// A body of two points (a hand with one marker): it swings as they do, and its twist is that of its parent.
fn swung(
    items: &[Vec<Option<DVec3>>],
    parent: Option<usize>,
    turns: &[Vec<DQuat>],
) -> (Vec<DVec3>, Vec<Option<DQuat>>) {
    let frames = turns.len();
    let above = |t: usize| parent.map_or(DQuat::IDENTITY, |p| turns[t][p]);
    let joint = |t: usize| items.first().and_then(|i| i[t]);
    let arm = |t: usize| Some(items.get(1)?[t]? - joint(t)?);
    let first = (0..frames).find_map(|t| Some((t, arm(t)?)));
    let Some((reference, there)) = first else {
        return (vec![DVec3::ZERO; items.len()], vec![None; frames]);
    };
    let lengths: Vec<f64> = (0..frames).filter_map(|t| Some(arm(t)?.length())).collect();
    let length = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
    let along = (above(reference).conjugate() * there).normalize_or(DVec3::Y);
    let found = (0..frames)
        .map(|t| {
            let now = arm(t)?.try_normalize()?;
            let up = above(t);
            Some((DQuat::from_rotation_arc((up * along).normalize(), now) * up).normalize())
        })
        .collect();
    let mut points = vec![DVec3::ZERO; items.len()];
    if let Some(p) = points.get_mut(1) {
        *p = along * length;
    }
    (points, found)
}

/// A rotation as a matrix, for sums over frames.
pub(crate) fn matrix(q: DQuat) -> DMat3 {
    DMat3::from_quat(q)
}
