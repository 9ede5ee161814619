//! What `cargo xtask bench` and the process that measures say to each other: a JSON value a line, each request answered
//! by one line. (xtask includes this file too.)

use serde::{Deserialize, Serialize};

/// A request.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Measure the peak of fused multiply-adds on one core. Answered by [`Answer::Peak`].
    Peak,
}

/// An answer.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// GFLOP/s in f32 and f64; None if the machine has no fused multiply-add that the loop knows.
    Peak(Option<[f64; 2]>),
}
