//! Which joints the body models have, in which order, under which names.

/// A joint of a body model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ModelJoint {
    pub name: String,
    pub parent: Option<usize>,
}

/// A body model of the SMPL family, by the joints that poses have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// The 22 joints of the body that all models share.
    Body,
    /// SMPL: 24, a joint for each hand.
    Smpl,
    /// SMPL-H: 52, all fingers.
    SmplH,
    /// SMPL-X without the eyes: 53.
    SmplXNoEyes,
    /// SMPL-X: 55, jaw, eyes and all fingers.
    SmplX,
}

/// Joints of the body, each with the one it hangs on.
const BODY: [(&str, &str); 22] = [
    ("pelvis", ""),
    ("left_hip", "pelvis"),
    ("right_hip", "pelvis"),
    ("spine1", "pelvis"),
    ("left_knee", "left_hip"),
    ("right_knee", "right_hip"),
    ("spine2", "spine1"),
    ("left_ankle", "left_knee"),
    ("right_ankle", "right_knee"),
    ("spine3", "spine2"),
    ("left_foot", "left_ankle"),
    ("right_foot", "right_ankle"),
    ("neck", "spine3"),
    ("left_collar", "spine3"),
    ("right_collar", "spine3"),
    ("head", "neck"),
    ("left_shoulder", "left_collar"),
    ("right_shoulder", "right_collar"),
    ("left_elbow", "left_shoulder"),
    ("right_elbow", "right_shoulder"),
    ("left_wrist", "left_elbow"),
    ("right_wrist", "right_elbow"),
];

/// Fingers of a hand, in the models' order.
pub(super) const FINGERS: [&str; 5] = ["index", "middle", "pinky", "ring", "thumb"];

impl Model {
    /// All of them, fewest joints first.
    pub const ALL: [Self; 5] = [
        Self::Body,
        Self::Smpl,
        Self::SmplH,
        Self::SmplXNoEyes,
        Self::SmplX,
    ];

    /// The model with this many joints.
    pub fn with_joints(count: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.joint_count() == count)
    }

    /// How many joints its poses have.
    pub fn joint_count(self) -> usize {
        match self {
            Self::Body => 22,
            Self::Smpl => 24,
            Self::SmplH => 52,
            Self::SmplXNoEyes => 53,
            Self::SmplX => 55,
        }
    }

    /// The word files use (`surface_model_type`).
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Body | Self::Smpl => "smpl",
            Self::SmplH => "smplh",
            Self::SmplXNoEyes | Self::SmplX => "smplx",
        }
    }

    pub(super) fn joints(self) -> Vec<ModelJoint> {
        let mut out: Vec<ModelJoint> = Vec::with_capacity(self.joint_count());
        let mut add = |name: &str, parent: &str| {
            let parent = out.iter().position(|j| j.name == parent);
            let name = name.to_owned();
            out.push(ModelJoint { name, parent });
        };
        BODY.iter().for_each(|(name, parent)| add(name, parent));
        match self {
            Self::Body | Self::SmplH => {}
            Self::Smpl => ["left", "right"]
                .iter()
                .for_each(|s| add(&format!("{s}_hand"), &format!("{s}_wrist"))),
            Self::SmplXNoEyes => add("jaw", "head"),
            Self::SmplX => ["jaw", "left_eye_smplhf", "right_eye_smplhf"]
                .iter()
                .for_each(|name| add(name, "head")),
        }
        if !matches!(self, Self::Body | Self::Smpl) {
            for side in ["left", "right"] {
                for finger in FINGERS {
                    let mut parent = format!("{side}_wrist");
                    for k in 1..=3 {
                        let name = format!("{side}_{finger}{k}");
                        add(&name, &parent);
                        parent = name;
                    }
                }
            }
        }
        out
    }
}

/// A joint's name as the models have it, from the ways tools write it: `L_Hip`, `m_avg_L_Hip`, `LeftHip`, `lindex0`.
pub(super) fn canonical(name: &str) -> String {
    let mut spread = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            spread.push('_');
        }
        spread.push(if c.is_alphanumeric() { c } else { '_' });
        before = c;
    }
    let lower = spread.to_ascii_lowercase();
    let bare = ["m_avg_", "f_avg_", "n_avg_"]
        .iter()
        .find_map(|p| lower.strip_prefix(p))
        .unwrap_or(&lower);
    let sided = match (bare.strip_prefix("l_"), bare.strip_prefix("r_")) {
        (Some(rest), _) => format!("left_{rest}"),
        (_, Some(rest)) => format!("right_{rest}"),
        _ => bare.to_owned(),
    };
    match sided.as_str() {
        "left_eye" | "right_eye" => format!("{sided}_smplhf"),
        // The wiki of the models counts fingers from 0.
        other => {
            let side = match other.chars().next() {
                Some('l') => "left",
                _ => "right",
            };
            let rest = other.get(1..).unwrap_or("");
            let finger = FINGERS.iter().find_map(|f| {
                let k: u32 = rest.strip_prefix(f)?.parse().ok()?;
                (k < 3 && (other.starts_with('l') || other.starts_with('r')))
                    .then(|| format!("{side}_{f}{}", k + 1))
            });
            finger.unwrap_or(sided)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_have_their_joints_parents_first() {
        for model in Model::ALL {
            let joints = model.joints();
            assert_eq!(joints.len(), model.joint_count());
            assert_eq!(joints[0].parent, None);
            let above = |(i, j): (usize, &ModelJoint)| j.parent.is_some_and(|p| p < i);
            assert!(joints.iter().enumerate().skip(1).all(above), "{model:?}");
            assert_eq!(Model::with_joints(joints.len()), Some(model));
        }
        let joints = Model::SmplX.joints();
        assert_eq!(joints[25].name, "left_index1");
        assert_eq!(joints[54].name, "right_thumb3");
        assert_eq!(Model::SmplH.joints()[22].parent, Some(20));
        assert_eq!(Model::SmplH.joints()[37].name, "right_index1");
    }

    #[test]
    fn names_are_known_in_many_spellings() {
        for (given, meant) in [
            ("pelvis", "pelvis"),
            ("L_Hip", "left_hip"),
            ("m_avg_R_Shoulder", "right_shoulder"),
            ("LeftElbow", "left_elbow"),
            ("left_index1", "left_index1"),
            ("lindex0", "left_index1"),
            ("rthumb2", "right_thumb3"),
            ("left_eye", "left_eye_smplhf"),
            ("Spine2", "spine2"),
            ("", ""),
            ("lé", "lé"),
        ] {
            assert_eq!(canonical(given), meant);
        }
    }
}
