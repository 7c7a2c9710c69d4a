//! Left and right swapped: the motion as seen in a mirror that stands at x = 0.
//!
//! With S = diag(−1, 1, 1), a joint j and its partner p, the mirrored world rotation is G′ⱼ = S Gₚ Fⱼ, where
//! Fⱼ is the improper rotation that carries j's own frame into p's mirrored one; locally
//!
//!   R′ⱼ = F_parentᵀ Rₚ Fⱼ.
//!
//! For a rig whose joints are all unturned in a T-pose, every F is S. Rigs that lay their bones along X or
//! turn each joint its own way need others; all known rigs use signed permutations of the axes, so the best
//! of these is chosen by two witnesses: Fⱼ must carry the offsets of j's children onto those of p's, and on
//! average over a clip a body is symmetric about the plane it faces along. Checked by: mirroring twice gives
//! the clip back, and world places mirror.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3, Quat};

use crate::anatomy::{swap_side_in_label, words};
use crate::source::bake;
use crate::{
    Clip, ContactPoint, JointIdx, LabelTrack, PointIdx, Pose, PoseSource, Skeleton, fk, ground,
};

/// Which joint is whose mirror image, and how their frames relate.
#[derive(Clone, Debug, PartialEq)]
pub struct MirrorMap {
    partners: Vec<JointIdx>,
    point_partners: Vec<PointIdx>,
    frames: Vec<DMat3>,
    rejected: Vec<(JointIdx, JointIdx)>,
}

/// Bones of a pair may differ by this share of their length: people are not symmetric, typing errors are
/// larger.
const LENGTH_TOLERANCE: f32 = 0.25;

impl MirrorMap {
    /// Finds pairs by name, checks them by geometry, and relates their frames by the clips' poses (those of
    /// `reference` that use this skeleton; none is fine for rigs that rest in a T-pose).
    pub fn new(skeleton: &Skeleton, reference: &[&Clip]) -> Self {
        let (partners, rejected) = find_partners(skeleton);
        let witness = pose_witness(skeleton, &partners, reference);
        let frames = choose_frames(skeleton, &partners, &witness);
        let point_partners = partner_points(skeleton, &partners);
        Self {
            partners,
            point_partners,
            frames,
            rejected,
        }
    }

    /// A map from its numbers, as [`MirrorMap::axes`] and [`MirrorMap::partner`] give them; `None` where they make no map of this
    /// body.
    pub fn from_parts(
        skeleton: &Skeleton,
        partners: Vec<JointIdx>,
        axes: &[[i8; 3]],
    ) -> Option<Self> {
        let joints = skeleton.joint_count();
        let fits = |j: usize| {
            let partner = partners[j].index();
            partner < joints && partners[partner].index() == j
        };
        if partners.len() != joints || axes.len() != joints || !(0..joints).all(fits) {
            return None;
        }
        let known = improper_axis_permutations();
        let frame = |code: &[i8; 3]| known.iter().find(|f| axes_of(f) == *code).copied();
        Some(Self {
            frames: axes.iter().map(frame).collect::<Option<_>>()?,
            point_partners: partner_points(skeleton, &partners),
            partners,
            rejected: Vec::new(),
        })
    }

    /// How each joint's frame relates to its partner's: for each axis, the partner's axis (1, 2, 3) it is carried to, negative
    /// where it is turned round.
    pub fn axes(&self) -> Vec<[i8; 3]> {
        self.frames.iter().map(axes_of).collect()
    }

    /// The mirror image of a joint: itself on the midline.
    pub fn partner(&self, joint: JointIdx) -> JointIdx {
        self.partners[joint.index()]
    }

    /// The mirror image of a joint or end site.
    pub fn partner_point(&self, point: PointIdx) -> PointIdx {
        self.point_partners[point.index()]
    }

    /// Pairs, left and right or the other way round, each once.
    pub fn pairs(&self) -> Vec<(JointIdx, JointIdx)> {
        let all = self.partners.iter().enumerate();
        all.filter(|(j, p)| *j < p.index())
            .map(|(j, p)| (JointIdx(j as u32), *p))
            .collect()
    }

    /// The pose in the mirror, in place.
    ///
    /// Of two partners that move in their parents, the pose must hold both: see [`PoseSource::moving_joints`] of [`Mirrored`].
    pub fn turn_over(&self, skeleton: &Skeleton, pose: &mut Pose) {
        let flip = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        let above = |joint: JointIdx| match skeleton.parent(joint) {
            None => flip,
            Some(p) => self.frames[p.index()].transpose(),
        };
        pose.root.x = -pose.root.x;
        let turned = |joint: JointIdx, rotation: Quat| {
            let r = DMat3::from_quat(rotation.as_dquat().normalize());
            let m = above(joint) * r * self.frames[joint.index()];
            DQuat::from_mat3(&m).as_quat().normalize()
        };
        // Partners change places: each pair is turned over once, from its lower joint.
        for joint in skeleton.joints() {
            let (j, p) = (joint.index(), self.partners[joint.index()].index());
            if p >= j {
                let (here, there) = (pose.rotations[j], pose.rotations[p]);
                pose.rotations[j] = turned(joint, there);
                if p > j {
                    pose.rotations[p] = turned(self.partners[j], here);
                }
            }
        }
        for k in 0..pose.translations.len() {
            let joint = pose.moving()[k];
            let other = self.partner(joint);
            let Ok(at) = pose.moving().binary_search(&other) else {
                continue;
            };
            if at >= k {
                let moved = |onto: JointIdx, from: JointIdx, v: glam::Vec3| {
                    let (here, there) = (skeleton.offset(onto), skeleton.offset(from));
                    here + (above(onto) * (v - there).as_dvec3()).as_vec3()
                };
                let (here, there) = (pose.translations[k], pose.translations[at]);
                pose.translations[k] = moved(joint, other, there);
                pose.translations[at] = moved(other, joint, here);
            }
        }
    }

    /// Pairs that names suggest and geometry denies: lengths or parents do not fit.
    pub fn rejected(&self) -> &[(JointIdx, JointIdx)] {
        &self.rejected
    }
}

/// A name with its side swapped, as words; `None` when it names no side.
fn swapped_words(name: &str) -> Option<Vec<String>> {
    let mut found = false;
    let swapped = words(name).into_iter().map(|w| {
        let other = match w.as_str() {
            "left" => "right",
            "right" => "left",
            "l" => "r",
            "r" => "l",
            _ => return w,
        };
        found = true;
        other.to_owned()
    });
    let swapped: Vec<String> = swapped.collect();
    found.then_some(swapped)
}

type Pair = (JointIdx, JointIdx);

fn find_partners(skeleton: &Skeleton) -> (Vec<JointIdx>, Vec<Pair>) {
    let by_words: std::collections::HashMap<Vec<String>, JointIdx> = skeleton
        .joints()
        .map(|j| (words(skeleton.name(j)), j))
        .collect();
    let named = |j: JointIdx| {
        swapped_words(skeleton.name(j))
            .and_then(|w| by_words.get(&w).copied())
            .unwrap_or(j)
    };
    let mut partners: Vec<JointIdx> = skeleton.joints().collect();
    let mut rejected = Vec::new();
    // Parents come first, so a pair whose parents do not pair is seen to fail.
    for joint in skeleton.joints() {
        let other = named(joint);
        if other <= joint || named(other) != joint {
            continue;
        }
        let parents_pair = match (skeleton.parent(joint), skeleton.parent(other)) {
            (Some(a), Some(b)) => partners[a.index()] == b,
            _ => false,
        };
        let (a, b) = (skeleton.bone_length(joint), skeleton.bone_length(other));
        if parents_pair && (a - b).abs() <= LENGTH_TOLERANCE * a.max(b) + 0.01 {
            partners[joint.index()] = other;
            partners[other.index()] = joint;
        } else {
            rejected.push((joint, other));
        }
    }
    (partners, rejected)
}

fn partner_points(skeleton: &Skeleton, partners: &[JointIdx]) -> Vec<PointIdx> {
    let mut out: Vec<PointIdx> = partners.iter().map(|&p| p.into()).collect();
    let sites = skeleton.end_sites();
    let rank = |i: usize| {
        sites[..i]
            .iter()
            .filter(|s| s.parent == sites[i].parent)
            .count()
    };
    for i in 0..sites.len() {
        let wanted = partners[sites[i].parent.index()];
        let twin = (0..sites.len()).find(|&k| sites[k].parent == wanted && rank(k) == rank(i));
        out.push(skeleton.end_site_point(twin.unwrap_or(i)));
    }
    out
}

/// Per joint, the mean over frames of Gₚᵀ S Gⱼ with S taken about the plane the body faces along. Where the
/// motion is symmetric on average this is near Fⱼ. Without clips: the rest pose.
fn pose_witness(skeleton: &Skeleton, partners: &[JointIdx], reference: &[&Clip]) -> Vec<DMat3> {
    /// Enough poses to average over, whatever the length of the clips.
    const POSES: usize = 200;
    let flip = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    let mut sums = vec![DMat3::ZERO; partners.len()];
    let fitting: Vec<&&Clip> = reference
        .iter()
        .filter(|c| c.joint_count() == partners.len())
        .collect();
    let total: usize = fitting.iter().map(|c| c.frame_count()).sum();
    let step = (total / POSES).max(1);
    let mut seen = 0.0;
    for clip in fitting {
        let facing = ground::facing(clip);
        let mut scratch = fk::FkScratch::new(skeleton);
        for frame in (0..clip.frame_count()).step_by(step) {
            scratch.solve(clip, frame);
            let turn = DMat3::from_rotation_y(facing[frame]);
            let plane = turn * flip * turn.transpose();
            for (sum, (j, p)) in sums.iter_mut().zip(partners.iter().enumerate()) {
                let g = |q: Quat| DMat3::from_quat(q.as_dquat().normalize());
                *sum +=
                    g(scratch.rotations[p.index()]).transpose() * plane * g(scratch.rotations[j]);
            }
            seen += 1.0;
        }
    }
    if seen == 0.0 {
        return vec![flip; partners.len()];
    }
    sums.into_iter().map(|m| m * (1.0 / seen)).collect()
}

fn choose_frames(skeleton: &Skeleton, partners: &[JointIdx], witness: &[DMat3]) -> Vec<DMat3> {
    let candidates = improper_axis_permutations();
    let points = partner_points(skeleton, partners);
    let mut frames = vec![DMat3::IDENTITY; partners.len()];
    for joint in skeleton.joints() {
        let partner = partners[joint.index()];
        if partner < joint {
            frames[joint.index()] = frames[partner.index()].transpose();
            continue;
        }
        let offsets = child_offsets(skeleton, joint, &points);
        let score = |f: &DMat3| {
            let fit: f64 = offsets
                .iter()
                .map(|(o, p)| (*f * *o - *p).length_squared())
                .sum();
            let size: f64 = offsets.iter().map(|(o, _)| o.length_squared()).sum();
            let pose = inner(f, &witness[joint.index()]);
            // Offsets speak for sure where they speak at all; poses only on average.
            pose - if size > 1e-8 { 10.0 * fit / size } else { 0.0 }
        };
        let own = candidates
            .iter()
            .filter(|f| partner != joint || is_symmetric(f));
        let best = own.max_by(|a, b| score(a).total_cmp(&score(b)));
        frames[joint.index()] = *best.expect("there are 24 candidates");
    }
    frames
}

/// Offsets of the points below a joint beside those of their partners.
fn child_offsets(
    skeleton: &Skeleton,
    joint: JointIdx,
    partners: &[PointIdx],
) -> Vec<(DVec3, DVec3)> {
    let joints = skeleton.joint_count();
    let offset = |p: PointIdx| match p.index().checked_sub(joints) {
        None => skeleton.offset(JointIdx(p.0)).as_dvec3(),
        Some(site) => skeleton.end_sites()[site].offset.as_dvec3(),
    };
    let below = (0..skeleton.point_count() as u32).map(PointIdx);
    below
        .filter(|&p| skeleton.point_parent(p) == Some(joint))
        .map(|p| (offset(p), offset(partners[p.index()])))
        .collect()
}

fn inner(a: &DMat3, b: &DMat3) -> f64 {
    a.to_cols_array()
        .iter()
        .zip(b.to_cols_array())
        .map(|(x, y)| x * y)
        .sum()
}

/// A signed permutation as numbers: see [`MirrorMap::axes`].
fn axes_of(f: &DMat3) -> [i8; 3] {
    [f.x_axis, f.y_axis, f.z_axis].map(|column| {
        let axis = (0..3).find(|&k| column[k] != 0.0).unwrap_or(0);
        let sign = if column[axis] < 0.0 { -1 } else { 1 };
        sign * (axis as i8 + 1)
    })
}

fn is_symmetric(f: &DMat3) -> bool {
    *f == f.transpose()
}

/// The 24 matrices with one ±1 in each row and column and determinant −1.
fn improper_axis_permutations() -> Vec<DMat3> {
    let units = [DVec3::X, DVec3::Y, DVec3::Z];
    let orders = [
        [0, 1, 2],
        [1, 2, 0],
        [2, 0, 1],
        [0, 2, 1],
        [2, 1, 0],
        [1, 0, 2],
    ];
    let mut out = Vec::with_capacity(24);
    for order in orders {
        for signs in 0..8_u32 {
            let sign = |i: u32| if signs >> i & 1 == 1 { -1.0 } else { 1.0 };
            let columns = [0, 1, 2].map(|i| units[order[i]] * sign(i as u32));
            let f = DMat3::from_cols(columns[0], columns[1], columns[2]);
            if f.determinant() < 0.0 {
                out.push(f);
            }
        }
    }
    out
}

/// The clip in the mirror: left and right swapped, also in label names and contacts.
pub fn mirror(clip: &Clip, map: &MirrorMap) -> Clip {
    let view = Mirrored::new(Arc::new(clip.clone()), Arc::new(map.clone()));
    bake(&view, clip.name()).expect("a mirrored clip is a clip")
}

/// Another source seen in the mirror: left and right swapped, also in label names and contacts. Nothing is copied; poses are
/// mirrored when they are asked for.
#[derive(Clone)]
pub struct Mirrored {
    of: Arc<dyn PoseSource>,
    map: Arc<MirrorMap>,
    moving: Vec<JointIdx>,
    labels: LabelTrack,
    /// For each contact point, the point it takes its bit from; `None` where nothing says when it stands.
    bits: Vec<Option<usize>>,
}

impl Mirrored {
    /// The mirrored view of a source whose skeleton the map was made for.
    pub fn new(of: Arc<dyn PoseSource>, map: Arc<MirrorMap>) -> Self {
        // A joint and its partner change places, so both are asked for where one moves.
        let both = of.moving_joints().iter().flat_map(|&j| [j, map.partner(j)]);
        let mut moving: Vec<JointIdx> = both.collect();
        moving.sort_unstable();
        moving.dedup();
        Self {
            labels: of.labels().map_labels(swap_side_in_label),
            bits: mirrored_bits(of.contact_points().unwrap_or_default(), &map),
            moving,
            of,
            map,
        }
    }
}

impl PoseSource for Mirrored {
    fn skeleton(&self) -> &Arc<Skeleton> {
        self.of.skeleton()
    }

    fn rate_hz(&self) -> f64 {
        self.of.rate_hz()
    }

    fn frame_count(&self) -> usize {
        self.of.frame_count()
    }

    fn moving_joints(&self) -> &[JointIdx] {
        &self.moving
    }

    fn frame_into(&self, frame: usize, pose: &mut Pose) {
        self.of.frame_into(frame, pose);
        self.map.turn_over(self.of.skeleton(), pose);
    }

    fn contact_points(&self) -> Option<&[ContactPoint]> {
        self.of.contact_points()
    }

    fn contact_mask(&self, frame: usize) -> u32 {
        let mask = self.of.contact_mask(frame);
        let set = self.bits.iter().enumerate();
        set.filter_map(|(k, from)| Some((mask >> (*from)? & 1) << k))
            .fold(0, |out, bit| out | bit)
    }

    fn labels(&self) -> &LabelTrack {
        &self.labels
    }
}

/// For each contact point, which point's bit it shows in the mirror; none where its partner is not among the points.
fn mirrored_bits(points: &[ContactPoint], map: &MirrorMap) -> Vec<Option<usize>> {
    let twin = |p: &ContactPoint| {
        let other = map.partner_point(p.point);
        let by_name = || {
            let name = swap_side_in_label(&p.name.replace('_', " ")).replace(' ', "_");
            // A name without a side names no twin.
            let twin = |q: &ContactPoint| q.name == name && q.name != p.name;
            points.iter().position(twin)
        };
        let at = points.iter().position(|q| q.point == other);
        at.or_else(by_name)
    };
    points.iter().map(twin).collect()
}
