//! Numbers and plain drawing data about a graph; painting is done elsewhere.

mod components;
mod curve;
mod export;
mod labels;
mod layout;

pub use components::{Components, components_of, components_where, strong_components};
pub use curve::{
    CurvePoint, Histogram, distance_histogram, largest_component, mean_transition_s,
    threshold_curve,
};
pub use export::{write_dot, write_graphml};
pub use labels::{LabelLink, component_shares, label_links, label_members};
pub use layout::{Arc, GraphLayout, Lane, LaneSegment, layout};

pub(crate) use labels::members;
