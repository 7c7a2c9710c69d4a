//! Clips to a graph: with a journal, so that nothing that was compared is compared again after a stop.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gaitway_core::{Clip, ClipFiles};
use gaitway_graph::{
    Account, BuildOptions, GraphBuilder, LabelTable, MotionGraph, Progress, ProgressState,
    Provenance, Thresholds, journal_path, remove_journal,
};

use super::job::{Job, Stop};
use super::run::Done;
use crate::error::{ApiError, ApiResult};
use crate::project::{Basis, BuildOptionsJson};
use crate::state::{ClipEntry, GraphState, Inner, ProjectPart, Source, Studio, grouped};

/// What a build starts from; later changes make the graph stale and do not disturb it.
struct Plan {
    entries: Vec<Arc<ClipEntry>>,
    wishes: BuildOptionsJson,
    graph: Option<Arc<GraphState>>,
    by_hand: Vec<String>,
    basis: Option<Basis>,
    fingerprint: String,
}

/// Which clips a request for a build means: those of a body, some, or what the project says.
///
/// # Errors
/// When there is no such body or clip.
pub fn wanted(
    inner: &Inner,
    body: Option<&str>,
    clips: Option<&[String]>,
) -> ApiResult<Option<Basis>> {
    let name = |id: &String| inner.clips.get(id).map(|e| e.name.clone());
    if let Some(id) = body {
        let found = inner.body(id).ok_or_else(|| {
            ApiError::not_found(format!("body `{id}`"))
                .field("body")
                .hint("GET /api/bodies lists them")
        })?;
        return Ok(Some(Basis {
            clips: found.clips.iter().filter_map(name).collect(),
            whole_body: true,
        }));
    }
    let Some(ids) = clips else {
        return Ok(inner.project.basis.clone());
    };
    let names = ids
        .iter()
        .map(|id| name(id).ok_or_else(|| ApiError::no_clip(id)));
    Ok(Some(Basis {
        clips: names.collect::<ApiResult<_>>()?,
        whole_body: false,
    }))
}

/// Runs a build.
pub fn build(
    studio: &Studio,
    job: &Job,
    options: Option<&BuildOptionsJson>,
    (body, clips_asked): (Option<&str>, Option<&[String]>),
) -> Result<Done, Stop> {
    let plan = {
        let inner = studio.read();
        let basis = wanted(&inner, body, clips_asked)?;
        let entries = inner.chosen(basis.as_ref());
        one_body(&inner, &entries)?;
        let like_before = entries.first().is_some_and(|e| inner.is_of_graph(e));
        Plan {
            wishes: options.unwrap_or(&inner.project.build).clone(),
            graph: inner.graph.clone().filter(|_| like_before),
            by_hand: inner.project.contacts_by_hand.clone(),
            fingerprint: inner.fingerprint_of(&entries),
            basis,
            entries,
        }
    };
    let (files, by_hand) = clips(studio, job, &plan)?;
    let known = plan.graph.as_deref().map(|g| &g.graph);
    let options = build_options(&plan)?;
    let thresholds = thresholds(&plan, &files.clips);
    let builder = GraphBuilder::from_files(files).map_err(|e| Stop::Advised {
        message: e.to_string(),
        hint: "Take out the clip that differs: select it in the library and press Remove."
            .to_owned(),
    })?;
    let mut builder = builder.options(options).thresholds(thresholds);
    if let Some(known) = known {
        builder = builder.reuse(known);
    }
    let target = studio.folder.graph();
    let journal = journal_path(&target);
    let mut watch = Watch::new(studio, job);
    let built = builder.journal(&journal).build(&mut watch);
    let (graph, account) = match built {
        Ok(built) => built,
        Err(_) if job.cancelled() => return Err(Stop::Cancelled),
        Err(error) => {
            return Err(Stop::Advised {
                message: error.to_string(),
                hint: "Change the options under Rebuild graph…, or add longer clips.".to_owned(),
            });
        }
    };
    finish(studio, &plan, graph, account, by_hand, &journal)
}

fn finish(
    studio: &Studio,
    plan: &Plan,
    graph: MotionGraph,
    mut account: Account,
    by_hand: Vec<String>,
    journal: &std::path::Path,
) -> Result<Done, Stop> {
    let wrong = |e: gaitway_graph::GraphError| Stop::Failed(e.to_string());
    graph.save(&studio.folder.graph()).map_err(wrong)?;
    account.warnings.extend(remove_journal(journal));
    let message = format!(
        "{:.0} of {:.0} s kept, {} transitions",
        account.kept_seconds, account.seconds, account.transitions
    );
    let mut build = plan.wishes.clone();
    build.auto = graph.thresholds().auto;
    studio.cache.forget("clip/");
    studio.change(&[ProjectPart::Graph, ProjectPart::Clips], |inner| {
        let state = Arc::new(GraphState::new(graph, account, inner.project.revision + 1));
        state.warm_up();
        inner.graph = Some(state);
        inner.project.build = build;
        inner.project.built_from = Some(plan.fingerprint.clone());
        inner.project.contacts_by_hand = by_hand;
        inner.project.basis = plan.basis.clone();
        Ok(())
    })?;
    Ok(Done {
        message,
        result: None,
    })
}

/// A graph has one body, and what only the graph holds must be in the next one too.
fn one_body(inner: &Inner, entries: &[Arc<ClipEntry>]) -> Result<(), Stop> {
    if entries.is_empty() {
        return Err(Stop::Advised {
            message: "there is no clip to build from".to_owned(),
            hint: "Drop files onto the page, or press Add clips….".to_owned(),
        });
    }
    let bodies = grouped(entries.iter().map(AsRef::as_ref)).len();
    if bodies > 1 {
        return Err(Stop::Advised {
            message: format!("a graph needs one skeleton, and the clips are of {bodies}"),
            hint: "Press “Build from this group” beside one of them in the library.".to_owned(),
        });
    }
    let only_there = |e: &&Arc<ClipEntry>| e.source == Source::Graph;
    let left = inner.clips.values().filter(only_there);
    let left = left.filter(|e| !entries.iter().any(|o| o.id == e.id));
    match left.count() {
        0 => Ok(()),
        n => Err(Stop::Advised {
            message: format!(
                "{n} clips are nowhere but in the present graph, and would be lost with it"
            ),
            hint: "Make a new project for the other clips (Projects, New), or remove these from the library first."
                .to_owned(),
        }),
    }
}

/// The clips with labels and contacts as they hold now, where each came from, and whose contacts were set by hand.
fn clips(studio: &Studio, job: &Job, plan: &Plan) -> Result<(ClipFiles, Vec<String>), Stop> {
    let mut files = ClipFiles::default();
    let mut by_hand = Vec::new();
    for (k, entry) in plan.entries.iter().enumerate() {
        if job.cancelled() {
            return Err(Stop::Cancelled);
        }
        tell(
            studio,
            job,
            0.1 * k as f64 / plan.entries.len() as f64,
            || format!("reading {}", entry.name),
        );
        let loaded = studio.loaded(&entry.id)?;
        let (labels, rows) = {
            let inner = studio.read();
            (inner.labels(entry), inner.contact_rows(&entry.name))
        };
        let track = crate::state::label_track(&labels, entry.rate_hz, entry.frames);
        let mut clip = loaded
            .clip
            .clone()
            .with_name(entry.name.clone())
            .with_labels(track);
        let contacts = match rows {
            Some(rows) => {
                by_hand.push(entry.name.clone());
                Some(crate::state::apply_contacts(&clip, &rows)?)
            }
            // What the graph holds was set by hand and no longer is: found anew by the builder.
            None if entry.source == Source::Graph && plan.by_hand.contains(&entry.name) => None,
            None => clip.contacts().cloned(),
        };
        clip = clip
            .with_contacts(contacts)
            .map_err(|e| Stop::Failed(e.to_string()))?;
        files.clips.push(clip);
        files.noise_joints.extend(entry.noise.iter().cloned());
        let source = match (&entry.source, &plan.graph) {
            (Source::Graph, Some(graph)) => match graph.find(&entry.id) {
                Some(id) => graph.graph.clip_info(id).provenance().clone(),
                None => Provenance::default(),
            },
            _ => Provenance {
                file: entry.file.clone(),
                checksum: entry.checksum,
            },
        };
        files.provenance.insert(entry.name.clone(), source);
    }
    Ok((files, by_hand))
}

fn build_options(plan: &Plan) -> Result<BuildOptions, ApiError> {
    let base = plan
        .graph
        .as_ref()
        .map(|g| g.graph.options().clone())
        .unwrap_or_default();
    plan.wishes.over(&base)
}

/// As asked for; a table set by hand holds on for the labels that are still there.
fn thresholds(plan: &Plan, clips: &[Clip]) -> Thresholds {
    let wishes = &plan.wishes;
    let Some(graph) = plan
        .graph
        .as_ref()
        .filter(|_| !wishes.auto && wishes.threshold_cm.is_none())
    else {
        return wishes.thresholds();
    };
    let names = clips
        .iter()
        .flat_map(|c| c.labels().spans())
        .map(|s| s.label.clone());
    let Some(table) = LabelTable::new(names) else {
        return Thresholds::Auto;
    };
    match graph.graph.thresholds().spec(graph.graph.labels()) {
        Thresholds::Pairs {
            default_cm,
            mut pairs,
        } => {
            pairs.retain(|(a, b, _)| table.find(a).is_some() && table.find(b).is_some());
            pairs
                .iter_mut()
                .for_each(|p| p.2 = p.2.min(wishes.ceiling_cm));
            Thresholds::Pairs {
                default_cm: default_cm.min(wishes.ceiling_cm),
                pairs,
            }
        }
        Thresholds::Value(cm) => Thresholds::Value(cm.min(wishes.ceiling_cm)),
        Thresholds::Auto => Thresholds::Auto,
    }
}

pub(super) fn tell(studio: &Studio, job: &Job, part: f64, message: impl FnOnce() -> String) {
    job.set(|v| {
        v.part = part;
        v.message = message();
    });
    studio.tell_job(job);
}

/// Passes on how the search goes, and stops it.
struct Watch<'a> {
    studio: &'a Studio,
    job: &'a Job,
    begin: Instant,
    told: Option<Instant>,
}

impl<'a> Watch<'a> {
    fn new(studio: &'a Studio, job: &'a Job) -> Self {
        Self {
            studio,
            job,
            begin: Instant::now(),
            told: None,
        }
    }
}

impl Progress for Watch<'_> {
    fn report(&mut self, state: &ProgressState) {
        /// Often enough to look alive.
        const EVERY: Duration = Duration::from_millis(100);
        if self.told.is_some_and(|t| t.elapsed() < EVERY) {
            return;
        }
        self.told = Some(Instant::now());
        let (done, total) = (state.pairs_done as f64, state.pairs_total.max(1) as f64);
        let fresh = state.pairs_done.saturating_sub(state.pairs_cached) as f64;
        let rate = fresh / self.begin.elapsed().as_secs_f64().max(1e-3);
        let left = if rate > 0.0 {
            (total - done) / rate
        } else {
            0.0
        };
        let message = || format!("comparing: {:.0} M pairs/s, {left:.0} s left", rate / 1e6);
        tell(self.studio, self.job, 0.1 + 0.8 * done / total, message);
    }

    fn cancelled(&mut self) -> bool {
        self.job.cancelled()
    }
}
