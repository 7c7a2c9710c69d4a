//! `gaitway enrich`: a graph connected better, by interpolated motion.

use std::path::Path;

use gaitway::graph::{
    Account, EnrichOptions, EnrichProgress, EnrichStep, Enriched, JoinForm, Progress,
    ProgressState, journal_path, remove_journal,
};
use indicatif::ProgressBar;

use super::args::EnrichArgs;
use super::build::{graph_error, load_graph, save_graph};
use super::make::counted;
use super::term::Term;
use super::{CliError, Outcome, files, interrupt, render};

/// Runs the verb.
pub fn run(args: &EnrichArgs, term: &mut Term) -> Result<Outcome, CliError> {
    let gway = |p: &Path| p.extension().is_some_and(|e| e == "gway");
    if !gway(&args.out) {
        let what = format!("{}: a graph is written as .gway", args.out.display());
        return Err(CliError::new(what).with_hint("-o W.gway"));
    }
    files::check_outputs([Some(&args.out), args.report.as_ref()])?;
    files::keep_inputs([Some(&args.out), args.report.as_ref()], &[&args.graph])?;
    let graph = load_graph(&args.graph)?;
    if graph.is_enriched() {
        term.say(&format!(
            "{}: has interpolated clips already; they are made anew from the captured ones",
            args.graph.display()
        ));
    }
    let options = EnrichOptions {
        weights: args.steps,
        threshold_cm: args.threshold,
        mu: args.mu,
        form: match args.form.as_str() {
            "frame" => JoinForm::Frame,
            _ => JoinForm::Fading,
        },
        neighbours: !args.any_neighbours,
        ..EnrichOptions::default()
    };
    interrupt::on_ctrl_c();
    let journal = journal_path(&args.out);
    let mut watch = Watch {
        bar: term.progress(1, "interpolating"),
        step: EnrichStep::Interpolate,
        term,
    };
    let made = graph.enrich(&options, Some(&journal), &mut watch);
    watch.bar.finish_and_clear();
    if interrupt::stopped() && made.is_err() {
        return Err(CliError::new("stopped").with_hint(format!(
            "what was compared is kept in {}; the same command goes on from there",
            journal.display()
        )));
    }
    let (better, account, report) = made.map_err(graph_error)?;
    save_graph(&better, &args.out)?;
    if let Some(warning) = remove_journal(&journal) {
        term.say(&format!("warning: {warning} [{}]", warning.code()));
    }
    let value = serde_json::json!({ "enriched": report, "account": account });
    let json = serde_json::to_string_pretty(&value).map_err(|e| CliError::new(e.to_string()))?;
    if let Some(path) = &args.report {
        render::write_bytes(path, json.as_bytes())?;
    }
    match args.json {
        true => term.json(&json)?,
        false => term.out(&(words(&report) + &brought(&account, args)))?,
    }
    term.say(&format!("wrote {}", args.out.display()));
    term.say(&format!(
        "hint: gaitway eval {} {} --threshold built --form blend shows what it brought to this graph as it is played, --threshold {} what it brings where no other join is allowed",
        args.graph.display(),
        args.out.display(),
        args.threshold
    ));
    Ok(Outcome::Done)
}

fn words(report: &Enriched) -> String {
    let [interpolate, compare, reduce] = report.seconds;
    let per_frame = report.kept[1] as f64 / report.frames.max(1) as f64;
    let mut out = format!(
        "interpolated  {}, {} go together; {} of {} tried, {interpolate:.1} s\n",
        counted(report.segments, "segment"),
        counted(report.pairs, "pair"),
        counted(report.tried[0], "clip"),
        counted(report.tried[1], "frame"),
    );
    if report.untried > 0 {
        out += &format!(
            "              {} not tried: nearer ones fill what is tried, more with more --steps\n",
            counted(report.untried, "farther pair"),
        );
    }
    if report.implausible > 0 {
        out += &format!(
            "              {} left out: what flies does not fall, or what stands slides\n",
            counted(report.implausible, "clip"),
        );
    }
    out += &format!(
        "compared      {} below the threshold, {compare:.1} s\n",
        counted(report.meetings, "meeting"),
    );
    out += &format!(
        "kept          {} and {} in {} ({per_frame:.1} for each of {} captured), {reduce:.1} s\n",
        counted(report.joins, "join"),
        counted(report.kept[1], "interpolated frame"),
        counted(report.kept[0], "clip"),
        report.frames,
    );
    let [searched, all] = report.sources;
    if searched < all {
        out += &format!(
            "              ways from {searched} of {all} places were searched, evenly over them: all of them would take too long\n"
        );
    }
    out
}

/// What the graph has of it, as it is played.
fn brought(account: &Account, args: &EnrichArgs) -> String {
    let Some(made) = &account.interpolated else {
        return String::new();
    };
    let before = account.kept_seconds - made.brought_back_seconds + made.given_up_seconds;
    let mut out = format!(
        "played        {} and {:.1} s of interpolated motion in {}; of {:.1} s captured {before:.1} s were kept, now {:.1} s\n",
        counted(made.joins, "join"),
        made.kept_seconds,
        counted(made.clips, "clip"),
        account.seconds,
        account.kept_seconds,
    );
    if made.given_up_seconds > 0.05 {
        out += &format!(
            "              {:.1} s that were kept are lost now: something else holds together better (inspect tells what is lost)\n",
            made.given_up_seconds,
        );
    }
    let pairs = account.thresholds.iter().map(|t| t.cm);
    let lowest = pairs.fold(account.default_threshold_cm, f64::min);
    if lowest < args.threshold {
        out += &format!(
            "              joins are also held to the graph's own thresholds, the lowest of which is {lowest:.1} cm: gaitway build --rethreshold {} --at-least {} lets all of them in\n",
            args.out.display(),
            args.threshold
        );
    }
    out
}

struct Watch<'a> {
    bar: ProgressBar,
    step: EnrichStep,
    term: &'a mut Term,
}

impl Watch<'_> {
    fn enter(&mut self, step: EnrichStep, total: u64, what: &str) {
        if self.step != step {
            self.bar.finish_and_clear();
            self.bar = self.term.progress(total, what);
            self.step = step;
        }
    }
}

impl Progress for Watch<'_> {
    fn report(&mut self, state: &ProgressState) {
        self.enter(EnrichStep::Compare, state.pairs_total, "comparing");
        self.bar.set_position(state.pairs_done);
    }

    fn cancelled(&mut self) -> bool {
        interrupt::stopped()
    }
}

impl EnrichProgress for Watch<'_> {
    fn step(&mut self, step: EnrichStep, done: usize, total: usize) -> bool {
        let what = match step {
            EnrichStep::Interpolate => "interpolating",
            EnrichStep::Compare => "comparing",
            EnrichStep::Reduce => "keeping what ways need",
        };
        self.enter(step, total as u64, what);
        self.bar.set_position(done as u64);
        !interrupt::stopped()
    }
}
