//! Motion that is made: planted feet.
//!
//! [`cleanup`] makes feet that should stand, stand.

pub mod cleanup;
