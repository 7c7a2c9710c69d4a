//! What is counted in a motion.

use gaitway_core::anatomy::Anatomy;
use gaitway_core::contacts::{ContactOptions, NearTransitions, detect_in, glides};
use gaitway_core::{JointIdx, PointIdx, fk};
use gaitway_synth::Motion;

/// A joint farther than this from the mean of its neighbouring frames jumps, metres.
const JUMP_M: f64 = 0.02;

/// Counts near transitions and away from them.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    transitions: usize,
    seconds: [f64; 2],
    glides: [usize; 2],
    jumps: [usize; 2],
    longest_m: [f64; 2],
    /// Every glide in words.
    shown: Vec<String>,
}

impl Counts {
    pub const HEAD: &str = "| person | transitions | near, s | away, s | glides near, 1/s | away | ratio | longest near, cm | away | jumps near, 1/s | away |\n\
                            | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

    pub fn of(motion: &Motion) -> Self {
        let clip = &motion.clip;
        let (rate, seconds) = (clip.rate_hz(), clip.seconds());
        let near = NearTransitions::new(&motion.transition_times(), seconds);
        let world = fk::world_points(clip);
        let mut out = Self {
            transitions: motion.transitions.len(),
            seconds: [near.seconds(), seconds - near.seconds()],
            ..Self::default()
        };
        let side = |t: f64| usize::from(!near.has(t));
        if let Ok(found) = detect_in(clip, &world, &ContactOptions::default()) {
            for glide in glides(&world, &found, rate) {
                let t = glide.middle_s(rate);
                out.glides[side(t)] += 1;
                let longest = &mut out.longest_m[side(t)];
                *longest = longest.max(glide.travel_m);
                out.shown.push(format!(
                    "{} {t:.2} s {} {:.1} cm in {:.3} s at {:.0} cm/s, lifted {:.1} cm",
                    ["near", "away"][side(t)],
                    found.track.points()[glide.point].name,
                    100.0 * glide.travel_m,
                    glide.frames.len() as f64 / rate,
                    100.0 * glide.mean_m_s,
                    100.0 * glide.lift_m,
                ));
            }
        }
        // Fingers were not captured: what hangs on a wrist is noise.
        let arms = Anatomy::of_clip(clip).arms;
        let wrists: Vec<JointIdx> = arms.iter().flatten().map(|a| a.wrist).collect();
        let skeleton = clip.skeleton();
        let below = |joint: JointIdx| {
            let mut up = std::iter::successors(skeleton.parent(joint), |&j| skeleton.parent(j));
            up.any(|j| wrists.contains(&j))
        };
        for joint in (0..skeleton.joint_count() as u32)
            .map(JointIdx)
            .filter(|&j| !below(j))
        {
            let at: Vec<_> = world.track(PointIdx::from(joint)).collect();
            for (f, w) in at.windows(3).enumerate() {
                if w[1].distance(0.5 * (w[0] + w[2])) > JUMP_M {
                    out.jumps[side((f + 1) as f64 / rate)] += 1;
                }
            }
        }
        out
    }

    pub fn add(&mut self, other: &Self) {
        self.transitions += other.transitions;
        for k in 0..2 {
            self.seconds[k] += other.seconds[k];
            self.glides[k] += other.glides[k];
            self.jumps[k] += other.jumps[k];
            self.longest_m[k] = self.longest_m[k].max(other.longest_m[k]);
        }
    }

    pub fn row(&self, name: &str) -> String {
        let per_s = |count: [usize; 2], k: usize| count[k] as f64 / self.seconds[k].max(1e-9);
        let (near, away) = (per_s(self.glides, 0), per_s(self.glides, 1));
        let ratio = if self.glides[1] == 0 {
            "–".to_owned()
        } else {
            format!("{:.2}", near / away)
        };
        format!(
            "| {name} | {} | {:.0} | {:.0} | {near:.3} | {away:.3} | {ratio} | {:.0} | {:.0} | {:.3} | {:.3} |",
            self.transitions,
            self.seconds[0],
            self.seconds[1],
            100.0 * self.longest_m[0],
            100.0 * self.longest_m[1],
            per_s(self.jumps, 0),
            per_s(self.jumps, 1),
        )
    }

    /// Every glide, to look at.
    pub fn list(&self, name: &str) {
        for glide in &self.shown {
            println!("{name}: {glide}");
        }
    }
}
