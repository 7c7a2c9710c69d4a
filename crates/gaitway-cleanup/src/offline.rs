//! Planting a whole motion.

use gaitway_core::anatomy::Anatomy;
use gaitway_core::contacts::{self, ContactOptions};
use gaitway_core::{Clip, ContactTrack, Skeleton, TranslationTrack, fk};
use glam::{DVec3, Vec3};

use super::ground::StandingHeights;
use super::ingest;
use super::knee::{HingeStudy, LegHinges, Mends};
use super::options::{PlantError, PlantOptions};
use super::pipeline::{Came, Pipeline};
use super::report::{
    EnforcedPlant, OverextendedKnee, PlantReport, SkipReason, SkippedPlant, TakenStep,
};
use super::rig::{CHANNELS, LegKinematics, Rig};
use super::soles::Soles;
use super::steps;

/// A motion with planted feet, and what was done to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Planted {
    /// The motion; its contacts are the plants that are held.
    pub clip: Clip,
    /// What was done.
    pub report: PlantReport,
    /// Heights at which points stand, for planting more of the same.
    pub heights: StandingHeights,
    /// Axes of knees and toes, for planting more of the same.
    pub hinges: LegHinges,
}

/// How often the planted motion is looked at again, at most. Contacts are only ever added, and most clips have all of
/// them after one look.
const MOST_LOOKS: usize = 4;
/// Frames at either end of a plant that may move: borders are never found to the frame.
const BORDER: usize = 2;
/// What moves less than this within a plant, in metres, stands.
const STILL: f64 = 5e-4;

/// Plants the feet of a motion. Contacts that are not given are the clip's own, else they are detected.
///
/// # Errors
/// When contacts do not fit, cannot be found, or belong to no leg, and when an option is out of range.
pub fn plant_feet(
    clip: &Clip,
    contacts: Option<&ContactTrack>,
    options: &PlantOptions,
) -> Result<Planted, PlantError> {
    options.check()?;
    let given = contacts.or(clip.contacts());
    let mut track = match given {
        Some(track) => track.clone(),
        None => contacts::detect(clip, &ContactOptions::default())?.track,
    };
    if track.frame_count() != clip.frame_count() {
        return Err(PlantError::FrameCount {
            found: track.frame_count(),
            expected: clip.frame_count(),
        });
    }
    let rig = Rig::new(clip.skeleton(), &Anatomy::of_clip(clip), track.points())?;
    let knees = Knees::study(clip, &rig, options);
    let (mut planted, mut pipeline) = plant_on(clip, &track, &rig, &knees, options, None)?;
    let again = options.look_again && (given.is_none() || options.look_beyond_given);
    for _ in 0..if again { MOST_LOOKS } else { 0 } {
        let seen = look(&planted.clip, &mut track)?;
        if seen.added {
            (planted, pipeline) = plant_on(clip, &track, &rig, &knees, options, None)?;
            continue;
        }
        // Who looks at the result finds the floor there, and nothing of a foot is to be below that one.
        let moved = planted.heights.on_floors(&seen.floors, rig.scale);
        let moves = moved.is_some();
        let known = moved.unwrap_or(planted.heights);
        pipeline.heights = known.clone();
        planted.heights = known;
        if moves || pipeline.sinks() {
            let known = planted.heights.clone();
            planted = plant_on(clip, &track, &rig, &knees, options, Some(&known))?.0;
        }
        break;
    }
    Ok(planted)
}

/// What is found in a planted motion.
struct Seen {
    /// Whether anything stands and moves that was not planted.
    added: bool,
    floors: Vec<f64>,
}

/// Adds to a track what stands in the planted motion and moves there.
fn look(planted: &Clip, track: &mut ContactTrack) -> Result<Seen, PlantError> {
    let world = fk::world_points(planted);
    let bare = ContactOptions::default();
    let found = contacts::detect_in(planted, &world, &bare)?;
    let mut added = false;
    for plant in found.plants {
        let point = found.track.points()[plant.point].point;
        let Some(bit) = track.points().iter().position(|p| p.point == point) else {
            continue;
        };
        let point = point.index();
        let inside = plant.frames.start + BORDER..plant.frames.end.saturating_sub(BORDER);
        let at = |f: usize| world.at(f, point).with_y(0.0);
        let mut rest = inside.clone();
        if rest.all(|f| at(f).distance(at(inside.start)) < STILL) {
            continue;
        }
        for f in plant.frames {
            added |= track.mask(f) >> bit & 1 == 0;
            track.set(f, bit, true);
        }
    }
    Ok(Seen {
        added,
        floors: found.floor.levels,
    })
}

/// Plants feet where a track says; with all that is known of the motion then.
fn plant_on(
    clip: &Clip,
    track: &ContactTrack,
    rig: &Rig,
    knees: &Knees,
    options: &PlantOptions,
    known: Option<&StandingHeights>,
) -> Result<(Planted, Pipeline), PlantError> {
    let mut locals = Locals::new(clip);
    let known = known.or(options.heights.as_ref());
    let mut pipeline = run(clip, track, rig, knees, options, known, &mut locals);
    let (clip, mut report) = collect(clip, track, &mut pipeline, &mut locals)?;
    list_plants(&mut report, &pipeline, track, clip.rate_hz());
    list_knees(&mut report, &pipeline, clip.skeleton(), &knees.mends);
    let planted = Planted {
        clip,
        report,
        heights: pipeline.heights.clone(),
        hinges: pipeline.hinges,
    };
    Ok((planted, pipeline))
}

/// All stages over a whole motion. Heights that are not known are those of the motion itself.
fn run(
    clip: &Clip,
    track: &ContactTrack,
    rig: &Rig,
    knees: &Knees,
    options: &PlantOptions,
    known: Option<&StandingHeights>,
    locals: &mut Locals,
) -> Pipeline {
    let frames = clip.frame_count();
    let (skeleton, rate_hz) = (clip.skeleton(), clip.rate_hz());
    let mut pipeline = Pipeline::new(skeleton, rig.clone(), rate_hz, options, frames, true);
    pipeline.hinges = knees.hinges;
    let mut blends = vec![false; frames];
    for range in &options.transitions {
        let end = range.end.min(frames);
        blends[range.start.min(end)..end].fill(true);
    }
    for (f, blend) in blends.into_iter().enumerate() {
        let came = Came {
            root: clip.root()[f],
            rotations: clip.frame_rotations(f),
            locals: locals.at(clip, f),
            contacts: track.mask(f),
            blend,
            mends: Some([0, 1].map(|leg: usize| knees.mends[leg].further[f])),
        };
        pipeline.ingest(skeleton, &came);
    }
    pipeline.finish();
    pipeline.heights = match known {
        Some(known) => known.clone(),
        None => {
            let (rig, sources, plants) = (&pipeline.rig, &pipeline.sources, &pipeline.plants);
            StandingHeights::estimate(rig, sources, plants, rate_hz)
        }
    };
    if options.horizon_s.is_none() {
        pipeline.steps = steps::plan(&mut pipeline, rate_hz);
    }
    pipeline.advance();
    if known.is_none() {
        let (rig, sources, plants) = (&pipeline.rig, &pipeline.sources, &pipeline.plants);
        let soles = Soles {
            rig,
            sources,
            plants,
        };
        pipeline.heights.floors = soles.floors(&pipeline.heights);
    }
    pipeline
}

/// What a motion's knees are like. However often it is planted, they are studied once.
struct Knees {
    hinges: LegHinges,
    /// How far each is to be bent further in each frame so that it does not bend backwards.
    mends: [Mends; 2],
}

impl Knees {
    fn study(clip: &Clip, rig: &Rig, options: &PlantOptions) -> Self {
        let skeleton = clip.skeleton();
        let both = rig.legs.iter().all(Option::is_some);
        let mut solved = LegKinematics::new(skeleton);
        let mut locals = Locals::new(clip);
        let mut study = HingeStudy::default();
        for f in 0..clip.frame_count() {
            solved.solve(skeleton, rig, clip.frame_rotations(f), locals.at(clip, f));
            let slot = ingest::slot_of(skeleton, rig, &solved, DVec3::ZERO, 0);
            study.see(&slot.legs);
        }
        let hinges = options.hinges.unwrap_or_else(|| study.hinges(both));
        let mends = study.mends(&hinges, clip.rate_hz());
        Self { hinges, mends }
    }
}

/// Translations of all joints of one frame.
struct Locals(Vec<Vec3>);

impl Locals {
    fn new(clip: &Clip) -> Self {
        Self(clip.skeleton().offsets().to_vec())
    }

    fn at(&mut self, clip: &Clip, frame: usize) -> &mut [Vec3] {
        for track in clip.translations() {
            self.0[track.joint.index()] = track.values[frame];
        }
        &mut self.0
    }
}

/// Hands out all frames and makes a clip of them.
fn collect(
    clip: &Clip,
    track: &ContactTrack,
    pipeline: &mut Pipeline,
    locals: &mut Locals,
) -> Result<(Clip, PlantReport), PlantError> {
    let frames = clip.frame_count();
    let joints = clip.joint_count();
    let mut parts = clip.clone().into_parts();
    let mut stretches = vec![[1.0_f64; 2]; frames];
    let mut changed = 0;
    let mut report = PlantReport {
        stretch_max: 1.0,
        ..PlantReport::default()
    };
    for (f, stretch) in stretches.iter_mut().enumerate() {
        let pose = &mut parts.rotations[f * joints..(f + 1) * joints];
        let out = pipeline.emit(f, pose, locals.at(clip, f));
        // Stretch changed the shared translations: put rest offsets back.
        locals.0.copy_from_slice(clip.skeleton().offsets());
        changed += usize::from(out.root != parts.root[f] || pose != clip.frame_rotations(f));
        parts.root[f] = out.root;
        *stretch = out.stretch;
        let moved = out.shift.length();
        report.root_moved_mean_m += moved / frames as f64;
        report.root_moved_max_m = report.root_moved_max_m.max(moved);
        report.tilt_max_deg = report.tilt_max_deg.max(out.tilt.to_degrees());
        report.stretch_max = out.stretch.into_iter().fold(report.stretch_max, f64::max);
    }
    let stretched = |s: &&[f64; 2]| s[0].max(s[1]) > 1.0001;
    let share = |count: usize| count as f64 / frames.max(1) as f64;
    report.stretched_frames = share(stretches.iter().filter(stretched).count());
    report.changed_frames = share(changed);
    stretch_tracks(clip, pipeline, &stretches, &mut parts.translations);
    parts.contacts = Some(held_contacts(pipeline, track));
    Ok((parts.build()?, report))
}

/// What stands in the result: the plants that are held, and contacts of other points as they were.
fn held_contacts(pipeline: &Pipeline, track: &ContactTrack) -> ContactTrack {
    let mut held = track.clone();
    for channel in 0..CHANNELS {
        let Some(bit) = pipeline.rig.bit(channel) else {
            continue;
        };
        (0..track.frame_count()).for_each(|f| held.set(f, bit, false));
        for range in pipeline.plants[channel].ranges() {
            range.for_each(|f| held.set(f, bit, true));
        }
    }
    held
}

/// Translation tracks for bones that are longer in some frame.
fn stretch_tracks(
    clip: &Clip,
    pipeline: &Pipeline,
    stretches: &[[f64; 2]],
    tracks: &mut Vec<TranslationTrack>,
) {
    for (leg, rig_leg) in pipeline.rig.legs.iter().enumerate() {
        let Some(rig_leg) = rig_leg else { continue };
        if stretches.iter().all(|s| s[leg] == 1.0) {
            continue;
        }
        for &joint in &rig_leg.bones {
            let at = tracks
                .iter()
                .position(|t| t.joint == joint)
                .unwrap_or_else(|| {
                    let values = vec![clip.skeleton().offset(joint); stretches.len()];
                    tracks.push(TranslationTrack { joint, values });
                    tracks.len() - 1
                });
            for (value, s) in tracks[at].values.iter_mut().zip(stretches) {
                if s[leg] != 1.0 {
                    *value *= s[leg] as f32;
                }
            }
        }
    }
}

/// Bent backwards by no more than this, in radians, a knee is as straight as capture can tell.
const OVEREXTENDED: f64 = 0.017;

fn list_knees(
    report: &mut PlantReport,
    pipeline: &Pipeline,
    skeleton: &Skeleton,
    mends: &[Mends; 2],
) {
    for (leg, mends) in pipeline.rig.legs.iter().zip(mends) {
        let Some(leg) = leg else { continue };
        let backwards = mends.bends.iter().enumerate();
        let backwards = || backwards.clone().filter(|(_, b)| **b < -OVEREXTENDED);
        if let Some((worst_frame, bend)) = backwards().min_by(|a, b| a.1.total_cmp(b.1)) {
            report.overextended.push(OverextendedKnee {
                joint: skeleton.name(leg.leg.knee).to_owned(),
                frames: backwards().count(),
                worst_frame,
                most_deg: -bend.to_degrees(),
            });
        }
    }
}

fn list_plants(report: &mut PlantReport, pipeline: &Pipeline, track: &ContactTrack, rate: f64) {
    let frames = pipeline.pushed();
    for channel in 0..CHANNELS {
        let Some(bit) = pipeline.rig.bit(channel) else {
            continue;
        };
        for plant in &pipeline.plants[channel].list {
            let Some(place) = plant.place else { continue };
            let end = plant.end.unwrap_or(frames);
            report.worst_residual_m = report.worst_residual_m.max(plant.residual);
            report.plants.push(EnforcedPlant {
                point: pipeline.rig.names[bit].clone(),
                start: plant.start,
                end,
                start_s: plant.start as f64 / rate,
                end_s: end as f64 / rate,
                place: place.to_array(),
                moved_m: plant.moved,
                residual_m: plant.residual,
            });
        }
    }
    for (leg, foot) in ["left", "right"].into_iter().enumerate() {
        let taken = pipeline.steps.of(leg).iter().map(|s| TakenStep {
            foot: foot.to_owned(),
            start: s.frames.start,
            end: s.frames.end,
            distance_m: s.distance,
            rise_m: s.rise,
        });
        report.steps.extend(taken);
    }
    report.steps.sort_by_key(|s| s.start);
    for skip in pipeline.watch.skips.iter().flatten() {
        if let Some(bit) = pipeline.rig.bit(skip.channel) {
            report.skipped.push(SkippedPlant {
                point: pipeline.rig.names[bit].clone(),
                start: skip.start,
                end: skip.end,
                reason: skip.reason,
            });
        }
    }
    for &bit in &pipeline.rig.left_alone {
        report
            .skipped
            .extend(track.plants(bit).into_iter().map(|r| SkippedPlant {
                point: pipeline.rig.names[bit].clone(),
                start: r.start,
                end: r.end,
                reason: SkipReason::NotAFoot,
            }));
    }
    report
        .plants
        .sort_by(|a, b| (a.start, &a.point).cmp(&(b.start, &b.point)));
    report
        .skipped
        .sort_by(|a, b| (a.start, &a.point).cmp(&(b.start, &b.point)));
}
