//! What is asked for, of whom.

/// Where an action is asked for.
pub enum At {
    /// x, z in metres and heading in degrees.
    Place(f64, f64, f64),
    /// A curve by name, and metres along it.
    Along(&'static str, f64),
}

/// A person, and what is asked of them.
pub struct Person {
    pub name: &'static str,
    /// A folder of the data, or nothing for the performer.
    pub folder: Option<&'static str>,
    pub source_fps: Option<f64>,
    /// Labels beside those of the table, by file name.
    pub names: &'static [(&'static str, &'static str)],
    pub asks: &'static [(&'static str, At)],
}

use At::{Along, Place};

pub const PEOPLE: [Person; 4] = [
    Person {
        name: "CMU 143",
        folder: Some("cmu-bvh/143"),
        source_fps: Some(60.0),
        names: &[("143_23*", "punch"), ("143_24*", "kick")],
        asks: &[
            ("sit", Place(3.0, 4.0, 90.0)),
            ("sit", Place(-2.0, 3.0, 180.0)),
            ("sit", Along("line", 4.0)),
            ("pick-up", Place(3.0, 4.0, 90.0)),
            ("pick-up", Place(0.0, 5.0, -45.0)),
            ("pick-up", Along("line", 4.0)),
            ("pick-up", Along("s", 6.0)),
            ("jump", Place(2.0, 3.0, 0.0)),
            ("jump", Along("line", 4.0)),
            ("jump", Along("s", 6.0)),
            ("kick", Place(3.0, 4.0, 90.0)),
            ("kick", Place(0.0, 4.0, 0.0)),
            ("punch", Place(0.0, 4.0, 0.0)),
            ("step-over", Place(1.0, 5.0, 0.0)),
            ("step-over", Along("line", 4.0)),
            ("step-over", Along("s", 6.0)),
        ],
    },
    Person {
        name: "CMU 75",
        folder: Some("cmu-bvh/75"),
        source_fps: Some(60.0),
        names: &[],
        asks: &[
            ("sit", Place(0.3, 0.4, 90.0)),
            ("sit", Place(0.0, 0.5, 0.0)),
            ("sit", Place(3.0, 4.0, 90.0)),
            ("jump", Place(0.0, 3.0, 0.0)),
        ],
    },
    Person {
        name: "CMU 69",
        folder: Some("cmu-bvh/69"),
        source_fps: None,
        names: &[],
        asks: &[
            ("pick-up", Place(3.0, 4.0, 90.0)),
            ("pick-up", Place(-2.0, 3.0, -90.0)),
            ("pick-up", Place(0.0, 4.0, 0.0)),
            ("pick-up", Along("line", 4.0)),
            ("pick-up", Along("line", 6.0)),
            ("pick-up", Along("s", 4.0)),
            ("pick-up", Along("s", 8.0)),
            ("pick-up", Along("circle", 10.0)),
        ],
    },
    Person {
        name: "performer",
        folder: None,
        source_fps: None,
        names: &[],
        asks: &[
            ("sit", Place(3.0, 4.0, 90.0)),
            ("sit", Place(-1.0, 4.0, 0.0)),
            ("sit", Along("line", 4.0)),
            ("pick-up", Place(3.0, 4.0, 90.0)),
            ("pick-up", Along("line", 4.0)),
            ("pick-up", Along("s", 6.0)),
            ("jump", Along("line", 4.0)),
            ("jump", Along("s", 6.0)),
            ("kick", Along("line", 4.0)),
            ("punch", Along("line", 4.0)),
            ("step", Along("line", 4.0)),
            ("duck", Along("line", 4.0)),
        ],
    },
];
