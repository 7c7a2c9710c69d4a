//! Warnings: what was found in a file and what was done about it. Libraries collect, the command
//! line and the studio show.

use std::fmt;

use crate::text::shown;

/// What kind of trouble, as a stable word for machines. `docs/book/reference/warnings.md` explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WarningCode {
    /// Frame 0 was a T-pose put in by a converter and was dropped.
    TPoseDropped,
    /// Frame 0 looks like a T-pose and was kept as asked.
    TPoseKept,
    /// Falls in flight do not fit gravity at this rate.
    RateImplausible,
    /// The rate was given by the user, over the header's.
    RateOverridden,
    /// The file gives no unit; it was told from the body's size.
    UnitGuessed,
    /// The unit was given by the user.
    UnitOverridden,
    /// The body's size is not a person's in any usual unit.
    UnitImplausible,
    /// The up axis was not Y and the motion was turned.
    UpAxisTurned,
    /// More or fewer frames follow than the header says.
    FrameCount,
    /// The last frame was cut short and was dropped.
    PartialFrame,
    /// The root drops to the origin for some frames.
    RootDropout,
    /// A joint jumps farther in one frame than a body can turn.
    JointFlip,
    /// Joints are somewhere else for a frame or two.
    Spikes,
    /// Joints stand still to the bit and then leap.
    FrozenJoints,
    /// Bones of no length.
    ZeroLengthBones,
    /// Joints that carry noise, such as fingers that flip by half a turn.
    NoiseJoints,
    /// Frames that repeat the one before to the bit.
    DuplicateFrames,
    /// Another file has the same bytes or the same frames.
    IdenticalClips,
    /// Too short to be useful.
    ShortClip,
    /// The travel sits on another joint than the root.
    TravelOnJoint,
    /// Position channels were added to the offset, not put in its place.
    PositionsAdded,
    /// Several roots were put under one.
    SeveralRoots,
    /// Names had to be made unique.
    RenamedJoints,
    /// Animated scale was baked into translations or left out.
    ScaleBaked,
    /// Something a format can hold and we do not read was left out.
    LeftOut,
    /// Something in the file is out of the ordinary and was read as best we can.
    Unusual,
    /// Values that are not numbers were filled in.
    GapsFilled,
    /// The file says no bone lengths; those of a person of usual proportions stand in.
    BodyAssumed,
    /// A target format cannot hold something the clip has.
    CannotHold,
    /// Skeletons that differ by less than a millimetre were taken for one body's.
    SkeletonsNearlySame,
    /// A clip was left out, because another one shows the same motion.
    SameMotion,
    /// Clips of another body were put on the set's before they were used.
    Retargeted,
    /// A clip was left out, because it cannot be put on the set's body.
    NotRetargeted,
    /// Frames that capture got wrong were mended before the clip was used.
    SpikesRepaired,
    /// A clip got another name, because another motion has the one it would have had.
    ClipRenamed,
    /// A clip that was left out for its twin had other labels than that one.
    LabelsDiffer,
    /// Rows of a labels file name files that are not among the clips.
    LabelsForMissingFiles,
    /// A label begins after its clip ends.
    LabelPastEnd,
    /// A pattern for labels fits no clip.
    UnusedLabelPattern,
    /// A file without a skeleton was passed over.
    MarkersOnly,
    /// A file that cannot be read was passed over as asked.
    Unreadable,
}

impl WarningCode {
    /// The stable word, e.g. `t-pose-dropped`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TPoseDropped => "t-pose-dropped",
            Self::TPoseKept => "t-pose-kept",
            Self::RateImplausible => "rate-implausible",
            Self::RateOverridden => "rate-overridden",
            Self::UnitGuessed => "unit-guessed",
            Self::UnitOverridden => "unit-overridden",
            Self::UnitImplausible => "unit-implausible",
            Self::UpAxisTurned => "up-axis-turned",
            Self::FrameCount => "frame-count",
            Self::PartialFrame => "partial-frame",
            Self::RootDropout => "root-dropout",
            Self::JointFlip => "joint-flip",
            Self::Spikes => "spikes",
            Self::FrozenJoints => "frozen-joints",
            Self::ZeroLengthBones => "zero-length-bones",
            Self::NoiseJoints => "noise-joints",
            Self::DuplicateFrames => "duplicate-frames",
            Self::IdenticalClips => "identical-clips",
            Self::ShortClip => "short-clip",
            Self::TravelOnJoint => "travel-on-joint",
            Self::PositionsAdded => "positions-added",
            Self::SeveralRoots => "several-roots",
            Self::RenamedJoints => "renamed-joints",
            Self::ScaleBaked => "scale-baked",
            Self::LeftOut => "left-out",
            Self::Unusual => "unusual",
            Self::GapsFilled => "gaps-filled",
            Self::BodyAssumed => "body-assumed",
            Self::CannotHold => "cannot-hold",
            Self::SkeletonsNearlySame => "skeletons-nearly-same",
            Self::SameMotion => "same-motion",
            Self::Retargeted => "retargeted",
            Self::NotRetargeted => "not-retargeted",
            Self::SpikesRepaired => "spikes-repaired",
            Self::ClipRenamed => "clip-renamed",
            Self::LabelsDiffer => "labels-differ",
            Self::LabelsForMissingFiles => "labels-for-missing-files",
            Self::LabelPastEnd => "label-past-end",
            Self::UnusedLabelPattern => "unused-label-pattern",
            Self::MarkersOnly => "markers-only",
            Self::Unreadable => "unreadable",
        }
    }
}

impl WarningCode {
    /// Whether this is only a remark: nothing was changed that could surprise, and nothing is wrong. `info` shows
    /// remarks; verbs that make something pass over them.
    pub fn is_remark(self) -> bool {
        matches!(
            self,
            Self::UnitGuessed
                | Self::UnitOverridden
                | Self::RateOverridden
                | Self::ZeroLengthBones
                | Self::TravelOnJoint
                | Self::TPoseKept
        )
    }

    /// Whether somebody has to look: what was found may be wrong, and only a person can say. All else was set right by itself or is
    /// as it should be, and is a note: a page full of warning signs hides the one that counts. Spikes are mended wherever motion is made.
    pub fn needs_person(self) -> bool {
        matches!(
            self,
            Self::RateImplausible
                | Self::UnitImplausible
                | Self::JointFlip
                | Self::FrozenJoints
                | Self::IdenticalClips
                | Self::FrameCount
                | Self::PartialFrame
                | Self::LabelsDiffer
                | Self::LabelPastEnd
                | Self::NotRetargeted
                | Self::Unreadable
        )
    }
}

impl fmt::Display for WarningCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// What kind.
    pub code: WarningCode,
    /// What was found, where, and what was done, in a sentence with numbers.
    pub message: String,
    /// A number that goes with it where machines want one, by its JSON field name.
    pub value: Option<(&'static str, f64)>,
}

/// Findings in the order they were made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Warnings {
    list: Vec<Warning>,
}

impl Warnings {
    /// An empty collector.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes a finding. Names in it may come from a file: what could act on a terminal is written out.
    pub fn add(&mut self, code: WarningCode, message: impl Into<String>) {
        self.list.push(Warning {
            code,
            message: shown(&message.into()).into_owned(),
            value: None,
        });
    }

    /// Notes a finding with a number under a JSON field name.
    pub fn add_value(
        &mut self,
        code: WarningCode,
        message: impl Into<String>,
        field: &'static str,
        value: f64,
    ) {
        self.list.push(Warning {
            code,
            message: shown(&message.into()).into_owned(),
            value: Some((field, value)),
        });
    }

    /// Whether a kind was found.
    pub fn has(&self, code: WarningCode) -> bool {
        self.list.iter().any(|w| w.code == code)
    }

    /// All findings.
    pub fn iter(&self) -> std::slice::Iter<'_, Warning> {
        self.list.iter()
    }

    /// Number of findings.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Takes over all of another's findings.
    pub fn extend(&mut self, other: Warnings) {
        self.list.extend(other.list);
    }
}

impl<'a> IntoIterator for &'a Warnings {
    type Item = &'a Warning;
    type IntoIter = std::slice::Iter<'a, Warning>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
