//! How heavy the parts of people are, where their centres lie and how they resist turning: the published table.
//!
//! P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters", Journal of Biomechanics 29 (9), 1996, Table 4: means of
//! 15 women (61.9 kg, 1.735 m) and 100 men (73.0 kg, 1.741 m), scanned by gamma rays. Masses are shares of the body's, centres parts of a
//! segment's length from its first end, radii of gyration parts of its length.
//!
//! | segment | from | to |
//! | --- | --- | --- |
//! | head and neck | vertex | cervicale (C7) |
//! | upper, middle, lower trunk | cervicale | xiphion, omphalion, middle of the hip joints |
//! | upper arm, forearm | shoulder | elbow, wrist |
//! | hand | wrist | third metacarpal |
//! | thigh, shank | hip | knee, ankle |
//! | foot | heel | tip of the toes |
//!
//! The *sagittal* axis points to the front, the *transverse* one to the side, the *longitudinal* one along the segment. In the foot, whose length
//! points to the front, the first column is that of the axis to the side.

/// Whose numbers are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sex {
    /// The women's.
    Female,
    /// The men's.
    Male,
    /// The mean of both columns, where nothing is known.
    #[default]
    Mean,
}

/// A part of the body that the table lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Segment {
    /// Head and neck.
    Head,
    /// From C7 to the lower end of the breastbone.
    UpperTrunk,
    /// From there to the navel.
    MiddleTrunk,
    /// From there to the hip joints.
    LowerTrunk,
    /// One of two.
    UpperArm,
    /// One of two.
    Forearm,
    /// One of two.
    Hand,
    /// One of two.
    Thigh,
    /// One of two.
    Shank,
    /// One of two.
    Foot,
}

impl Segment {
    /// All of them, the trunk from above.
    pub const ALL: [Self; 10] = [
        Self::Head,
        Self::UpperTrunk,
        Self::MiddleTrunk,
        Self::LowerTrunk,
        Self::UpperArm,
        Self::Forearm,
        Self::Hand,
        Self::Thigh,
        Self::Shank,
        Self::Foot,
    ];

    /// How many a person has.
    pub fn count(self) -> usize {
        match self {
            Self::Head | Self::UpperTrunk | Self::MiddleTrunk | Self::LowerTrunk => 1,
            _ => 2,
        }
    }

    /// Its name in notes and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Head => "head and neck",
            Self::UpperTrunk => "upper trunk",
            Self::MiddleTrunk => "middle trunk",
            Self::LowerTrunk => "lower trunk",
            Self::UpperArm => "upper arm",
            Self::Forearm => "forearm",
            Self::Hand => "hand",
            Self::Thigh => "thigh",
            Self::Shank => "shank",
            Self::Foot => "foot",
        }
    }

    /// Per cent of mass, millimetres of length, per cent of length to the centre, per cent radii (sagittal, transverse, longitudinal).
    fn columns(self) -> [[f64; 6]; 2] {
        match self {
            Self::Head => [
                [6.68, 243.7, 48.41, 27.1, 29.5, 26.1],
                [6.94, 242.9, 50.02, 30.3, 31.5, 26.1],
            ],
            Self::UpperTrunk => [
                [15.45, 228.0, 50.50, 46.6, 31.4, 44.9],
                [15.96, 242.1, 50.66, 50.5, 32.0, 46.5],
            ],
            Self::MiddleTrunk => [
                [14.65, 205.3, 45.12, 43.3, 35.4, 41.5],
                [16.33, 215.5, 45.02, 48.2, 38.3, 46.8],
            ],
            Self::LowerTrunk => [
                [12.47, 181.5, 49.20, 43.3, 40.2, 44.4],
                [11.17, 145.7, 61.15, 61.5, 55.1, 58.7],
            ],
            Self::UpperArm => [
                [2.55, 275.1, 57.54, 27.8, 26.0, 14.8],
                [2.71, 281.7, 57.72, 28.5, 26.9, 15.8],
            ],
            Self::Forearm => [
                [1.38, 264.3, 45.59, 26.1, 25.7, 9.4],
                [1.62, 268.9, 45.74, 27.6, 26.5, 12.1],
            ],
            Self::Hand => [
                [0.56, 78.0, 74.74, 53.1, 45.4, 33.5],
                [0.61, 86.2, 79.00, 62.8, 51.3, 40.1],
            ],
            Self::Thigh => [
                [14.78, 368.5, 36.12, 36.9, 36.4, 16.2],
                [14.16, 422.2, 40.95, 32.9, 32.9, 14.9],
            ],
            Self::Shank => [
                [4.81, 438.6, 43.52, 26.7, 26.3, 9.2],
                [4.33, 440.3, 43.95, 25.1, 24.6, 10.2],
            ],
            Self::Foot => [
                [1.29, 228.3, 40.14, 29.9, 27.9, 13.9],
                [1.37, 258.1, 44.15, 25.7, 24.5, 12.4],
            ],
        }
    }

    /// Its numbers.
    pub fn numbers(self, sex: Sex) -> Numbers {
        let mixed = |columns: [[f64; 6]; 2], tall: [f64; 2]| {
            let each = |k: usize| {
                // Lengths of people of different height are compared as parts of it.
                let by = |s: usize| if k == 1 { tall[s] * 1000.0 } else { 100.0 };
                let [f, m] = [0, 1].map(|s| columns[s][k] / by(s));
                match sex {
                    Sex::Female => f,
                    Sex::Male => m,
                    Sex::Mean => 0.5 * (f + m),
                }
            };
            [0, 1, 2, 3, 4, 5].map(each)
        };
        let [share, length, centre, r0, r1, r2] = mixed(self.columns(), STATURE_M);
        Numbers {
            share: share / total(sex),
            length,
            centre,
            radii: [r0, r1, r2],
        }
    }
}

/// Heights and masses of the women and the men of the table.
const STATURE_M: [f64; 2] = [1.735, 1.741];
const MASS_KG: [f64; 2] = [61.9, 73.0];

/// What the printed shares add up to: 99.99 % and 100 %.
fn total(sex: Sex) -> f64 {
    let each = |s: usize| -> f64 {
        let all = Segment::ALL.iter();
        all.map(|g| g.count() as f64 * g.columns()[s][0] / 100.0)
            .sum()
    };
    match sex {
        Sex::Female => each(0),
        Sex::Male => each(1),
        Sex::Mean => 0.5 * (each(0) + each(1)),
    }
}

/// Kilograms over metres squared of the people of the table: the mass that goes with a stature where none is given.
pub fn body_mass_index(sex: Sex) -> f64 {
    let [f, m] = [0, 1].map(|s| MASS_KG[s] / (STATURE_M[s] * STATURE_M[s]));
    match sex {
        Sex::Female => f,
        Sex::Male => m,
        Sex::Mean => 0.5 * (f + m),
    }
}

/// From the middle of the shoulders to that of the hips, as a part of the way from C7 to the latter.
pub(crate) fn shoulders_of_trunk(sex: Sex) -> f64 {
    let (f, m) = (497.9 / 614.8, 515.5 / 603.3);
    match sex {
        Sex::Female => f,
        Sex::Male => m,
        Sex::Mean => 0.5 * (f + m),
    }
}

/// The numbers of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    /// Part of the body's mass; all segments, counted as often as people have them, add up to 1.
    pub share: f64,
    /// Part of the stature.
    pub length: f64,
    /// Where the centre of mass lies on the way from the first end to the second, 0 to 1.
    pub centre: f64,
    /// Radii of gyration as parts of the length: sagittal, transverse, longitudinal.
    pub radii: [f64; 3],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_one_body() {
        for sex in [Sex::Female, Sex::Male, Sex::Mean] {
            let all = Segment::ALL.iter();
            let sum: f64 = all.map(|s| s.count() as f64 * s.numbers(sex).share).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
            // As printed, a unit of the last digit apart.
            assert!((total(sex) - 1.0).abs() < 2e-4);
        }
        assert!((body_mass_index(Sex::Mean) - 22.3).abs() < 0.1);
    }

    #[test]
    fn the_trunk_is_its_three_parts() {
        // The whole trunk is printed too: 42.57 % and 43.46 % of the mass, its centre 49.64 % and 51.38 % of the way from C7.
        for (sex, share, centre, long) in [
            (Sex::Female, 0.4257, 0.4964, 614.8),
            (Sex::Male, 0.4346, 0.5138, 603.3),
        ] {
            let parts = [
                Segment::UpperTrunk,
                Segment::MiddleTrunk,
                Segment::LowerTrunk,
            ];
            let k = usize::from(sex == Sex::Male);
            let (mut from, mut mass, mut moment) = (0.0, 0.0, 0.0);
            for part in parts {
                let [m, length, c, ..] = part.columns()[k];
                mass += m / 100.0;
                moment += m / 100.0 * (from + length * c / 100.0);
                from += length;
            }
            assert!((mass - share).abs() < 1e-9);
            assert!((from - long).abs() < 0.2, "{from}");
            let found = moment / mass / from;
            // The printed centres of part and whole agree to 3 mm.
            assert!((found - centre).abs() * long < 3.1, "{found}");
        }
    }
}
