//! Gaitway.
