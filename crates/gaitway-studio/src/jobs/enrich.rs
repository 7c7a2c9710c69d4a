//! The graph connected better, by interpolated clips. It stays in use until that is done, and stays as it is where nothing comes of it.

use std::time::{Duration, Instant};

use gaitway_graph::{
    EnrichOptions, EnrichProgress, EnrichStep, Progress, ProgressState, journal_path,
    remove_journal,
};

use super::build::tell;
use super::job::{Job, Stop};
use super::run::Done;
use crate::state::Studio;

/// Where the steps begin on the page's bar: interpolating, comparing, reducing, measuring. Of dozens of clips, reducing takes longest.
const PARTS: [f64; 4] = [0.01, 0.05, 0.25, 0.97];

/// Connects the graph better.
pub fn enrich(studio: &Studio, job: &Job) -> Result<Done, Stop> {
    let state = studio.graph()?;
    let defaults = EnrichOptions::default();
    let options = EnrichOptions {
        // Above the ceiling nothing was looked at.
        threshold_cm: defaults
            .threshold_cm
            .min(state.graph.options().metric.ceiling_cm),
        ..defaults
    };
    // Apart from that of a build, which may wait to be taken up again.
    let journal = journal_path(&studio.folder.file("enriched.gway"));
    let mut watch = Watch {
        studio,
        job,
        begin: [None; 2],
        told: None,
    };
    let made = state.graph.enrich(&options, Some(&journal), &mut watch);
    let (graph, mut account, report) = match made {
        Ok(made) => made,
        Err(_) if job.cancelled() => return Err(Stop::Cancelled),
        Err(error) => {
            remove_journal(&journal);
            return Err(Stop::Advised {
                message: error.to_string(),
                hint: "The graph is as it was.".to_owned(),
            });
        }
    };
    tell(studio, job, PARTS[3], || "measuring".to_owned());
    account.warnings.extend(remove_journal(&journal));
    studio.replace_graph(&state, graph, account, |_| {})?;
    studio.cache.forget("clip/");
    // Asked for next in any case.
    studio
        .graph()?
        .connected()
        .map_err(crate::error::ApiError::from)?;
    Ok(Done {
        message: format!(
            "{} interpolated clips, {} joins",
            report.kept[0], report.joins
        ),
        result: None,
    })
}

/// How much longer a step takes that has come so far; nothing while nobody can tell.
fn left(elapsed_s: f64, share: f64) -> String {
    let seconds = elapsed_s * (1.0 - share) / share;
    match (seconds.is_finite(), seconds) {
        (false, _) => String::new(),
        (true, s) if s < 90.0 => format!(", {s:.0} s left"),
        (true, s) => format!(", {:.0} min left", s / 60.0),
    }
}

/// Passes on how it goes, and stops it.
struct Watch<'a> {
    studio: &'a Studio,
    job: &'a Job,
    /// When comparing began, and reducing.
    begin: [Option<Instant>; 2],
    told: Option<Instant>,
}

impl Watch<'_> {
    fn tell(&mut self, part: f64, message: impl FnOnce() -> String) {
        /// Often enough to look alive.
        const EVERY: Duration = Duration::from_millis(100);
        if self.told.is_none_or(|t| t.elapsed() >= EVERY) {
            self.told = Some(Instant::now());
            tell(self.studio, self.job, part, message);
        }
    }
}

impl Progress for Watch<'_> {
    fn report(&mut self, state: &ProgressState) {
        let (done, total) = (state.pairs_done as f64, state.pairs_total.max(1) as f64);
        let fresh = state.pairs_done.saturating_sub(state.pairs_cached) as f64;
        let begin = *self.begin[0].get_or_insert_with(Instant::now);
        let rate = fresh / begin.elapsed().as_secs_f64().max(1e-3);
        let part = PARTS[1] + (PARTS[2] - PARTS[1]) * done / total;
        self.tell(part, || format!("comparing: {:.0} M pairs/s", rate / 1e6));
    }

    fn cancelled(&mut self) -> bool {
        self.job.cancelled()
    }
}

impl EnrichProgress for Watch<'_> {
    fn step(&mut self, step: EnrichStep, done: usize, total: usize) -> bool {
        let share = done as f64 / total.max(1) as f64;
        let (from, to) = match step {
            EnrichStep::Interpolate => (PARTS[0], PARTS[1]),
            EnrichStep::Compare => (PARTS[1], PARTS[2]),
            EnrichStep::Reduce => (PARTS[2], PARTS[3]),
        };
        if done == 0 {
            // A new step is told at once.
            self.told = None;
        }
        let reducing = match step {
            EnrichStep::Reduce => *self.begin[1].get_or_insert_with(Instant::now),
            _ => Instant::now(),
        };
        self.tell(from + (to - from) * share, || match step {
            EnrichStep::Interpolate => "interpolating clips".to_owned(),
            EnrichStep::Compare => "comparing".to_owned(),
            EnrichStep::Reduce => {
                let left = left(reducing.elapsed().as_secs_f64(), share);
                format!("keeping what ways need: {:.0} %{left}", 100.0 * share)
            }
        });
        !self.job.cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::left;

    #[test]
    fn what_is_left_is_told_once_it_can_be() {
        assert_eq!(left(0.0, 0.0), "");
        assert_eq!(left(3.0, 0.0), "");
        assert_eq!(left(10.0, 0.5), ", 10 s left");
        assert_eq!(left(60.0, 0.1), ", 9 min left");
        assert_eq!(left(30.0, 1.0), ", 0 s left");
    }
}
