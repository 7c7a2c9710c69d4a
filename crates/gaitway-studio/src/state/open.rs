//! From a folder and what the user points at to a studio.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use gaitway_core::{ClipSet, performer};
use gaitway_graph::{Account, GraphBuilder, MotionGraph};
use gaitway_io::{Input, expand};

use super::bodies::rest_pose;
use super::characters::characters_in;
use super::edits::Edits;
use super::events::ProjectPart;
use super::graph::GraphState;
use super::import::{import_set, import_uploads};
use super::library::{ClipEntry, Finding, Source, clip_id};
use super::recordings::{RecordingEntry, recordings_in};
use super::repoint::Moved;
use super::studio::{Inner, Studio, is_mirrored};
use crate::config::Config;
use crate::error::StudioError;
use crate::jobs::Jobs;
use crate::project::{BuildOptionsJson, Folder, Origin, ProjectFile, Readings, write_json};
use crate::wire::gwmo::LabelSeconds;

/// Frames a second of the demo's clips: as captured motion has.
const DEMO_HZ: f64 = 60.0;
/// The demo's seed, as `gaitway demo` has it.
const DEMO_SEED: u64 = 1;

impl Studio {
    /// Opens a project, or begins one. The notes tell what could not be read.
    ///
    /// # Errors
    /// When the folder is taken or holds another project, or an input makes no sense.
    pub fn open(config: Config) -> Result<(Arc<Self>, Vec<String>), StudioError> {
        config.check()?;
        let folder = Folder::open(&config.project)?;
        let known: Option<ProjectFile> = folder.read_json(&folder.file("project.json"))?;
        let (project, moved) = match known {
            Some(project) => same_project(project, &config)?,
            None => (begin(&folder, &config)?, None),
        };
        let mut edits: Edits = folder
            .read_json(&folder.file("edits.json"))?
            .unwrap_or_default();
        if let Some(moved) = &moved {
            edits = moved.edits(edits);
        }
        let graph = load_graph(&folder, &project)?;
        let mut notes = Vec::new();
        let (clips, recordings) = library(&folder, &project, graph.as_ref(), &mut notes)?;
        let characters = characters_in(&folder.characters(), &mut notes)
            .into_iter()
            .map(|c| (c.id.clone(), Arc::new(c)))
            .collect();
        let mut inner = Inner {
            project,
            clips,
            recordings,
            characters,
            edits,
            graph: graph.map(Arc::new),
            bodies: Arc::default(),
        };
        inner.regroup();
        if let (None, n @ 2..) = (&inner.graph, inner.bodies.len()) {
            notes.push(format!(
                "the clips are of {n} skeletons, and a graph needs one: in the page's library press \"Build from this group\" beside one of \
                 them, or start with the clips of one body (`gaitway info` shows whose is whose)"
            ));
        }
        if inner.graph.is_some() && inner.project.built_from.is_none() {
            inner.project.built_from = Some(inner.fingerprint());
        }
        let jobs = Jobs::open(&folder, &mut notes)?;
        let studio = Self::new(config, folder, jobs, inner);
        // Whoever was pointed elsewhere has other names in its tables.
        let mut parts = vec![ProjectPart::Clips];
        parts.extend(moved.map(|_| ProjectPart::Labels));
        studio
            .change(&parts, |_| Ok(()))
            .map_err(|e| StudioError::new(e.to_string()))?;
        Ok((Arc::new(studio), notes))
    }

    /// Works out ahead what the first search along a path would wait for, on a thread of its own.
    pub fn warm_up(&self) {
        if let Ok(state) = self.graph() {
            state.warm_up();
        }
    }

    /// Whether there are clips of one body and no graph, so that one should be built. Of several bodies somebody has to choose one.
    pub fn wants_graph(&self) -> bool {
        let inner = self.read();
        let chosen =
            matches!(inner.project.origin, Origin::Clips { ref inputs } if !inputs.is_empty());
        inner.graph.is_none() && chosen && inner.bodies.len() == 1
    }
}

/// Inputs without what depends on the folder the program was started in.
fn whole(inputs: &[String]) -> Vec<String> {
    let absolute = |p: &str| {
        let path =
            std::path::absolute(p).map_or_else(|_| p.into(), |a| a.to_string_lossy().into_owned());
        path.trim_end_matches('/').to_owned()
    };
    inputs
        .iter()
        .map(|i| match i.strip_prefix('@') {
            Some(list) => format!("@{}", absolute(list)),
            None => absolute(i),
        })
        .collect()
}

fn is_graph(input: &str) -> bool {
    Path::new(input)
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("gway"))
}

/// What the inputs of a command line begin.
fn origin(inputs: &[String]) -> Result<Origin, StudioError> {
    let inputs = whole(inputs);
    match &inputs[..] {
        [] => Ok(Origin::Demo),
        [one] if is_graph(one) => Ok(Origin::Graph { file: one.clone() }),
        many if many.iter().any(|i| is_graph(i)) => Err(StudioError::new(
            "give one graph, or clips to build one from, not both",
        )),
        _ => Ok(Origin::Clips { inputs }),
    }
}

/// The project as it is asked for; pointed at other files where its own are gone.
fn same_project(
    mut project: ProjectFile,
    config: &Config,
) -> Result<(ProjectFile, Option<Moved>), StudioError> {
    if project.version > ProjectFile::VERSION {
        return Err(StudioError::new("the project was made by a newer gaitway")
            .with_hint("use that one, or a newer"));
    }
    if config.inputs.is_empty() {
        return Ok((project, None));
    }
    let asked = origin(&config.inputs)?;
    if asked == project.origin {
        return Ok((project, None));
    }
    if let (Origin::Clips { inputs: old }, Origin::Clips { inputs: new }) = (&project.origin, asked)
        && old.len() == new.len()
        && !still_there(old).1.is_empty()
    {
        let moved = Moved::new(&mut project, new);
        return Ok((project, Some(moved)));
    }
    Err(StudioError::new(format!(
        "{} holds another project (`{}`)",
        config.project.display(),
        project.name
    ))
    .with_hint("give another folder with --project, or no input to go on with this one"))
}

/// Begins a project: what it needs is in the folder before `project.json` says that there is one.
fn begin(folder: &Folder, config: &Config) -> Result<ProjectFile, StudioError> {
    let wrong = |e: &dyn std::fmt::Display| StudioError::new(e.to_string());
    let origin = origin(&config.inputs)?;
    let name = match &origin {
        Origin::Demo => "demo".to_owned(),
        Origin::Graph { file } => stem(file),
        Origin::Clips { inputs } => inputs
            .first()
            .map_or_else(String::new, |i| stem(i.trim_start_matches('@'))),
    };
    let mut project = ProjectFile::new(name, origin);
    match &project.origin {
        Origin::Demo => {
            let (graph, _) = demo_graph()?;
            graph.save(&folder.graph()).map_err(|e| wrong(&e))?;
        }
        Origin::Graph { file } => {
            let graph = MotionGraph::load(Path::new(file)).map_err(|e| wrong(&e))?;
            graph.verify().map_err(|e| wrong(&e))?;
            graph.save(&folder.graph()).map_err(|e| wrong(&e))?;
            project.build =
                BuildOptionsJson::of(graph.options(), &graph.thresholds().spec(graph.labels()));
        }
        Origin::Clips { .. } => {
            expand(&config.inputs).map_err(|e| wrong(&e))?;
        }
    }
    write_json(&folder.file("project.json"), &project).map_err(|e| wrong(&e))?;
    Ok(project)
}

fn stem(path: &str) -> String {
    let stem = Path::new(path).file_stem().and_then(|s| s.to_str());
    stem.unwrap_or("project").to_owned()
}

/// The graph of the built-in performer.
///
/// # Errors
/// Never for the scripts that come with the program.
pub fn demo_graph() -> Result<(MotionGraph, Account), StudioError> {
    let wrong = |e: &dyn std::fmt::Display| StudioError::new(e.to_string());
    let takes = performer::library(DEMO_SEED, DEMO_HZ).map_err(|e| wrong(&e))?;
    let clips = takes.into_iter().map(|t| {
        let name = t
            .clip
            .name()
            .rsplit('/')
            .next()
            .unwrap_or("take")
            .to_owned();
        t.clip.with_name(name)
    });
    let set = ClipSet::new(clips.collect()).map_err(|e| wrong(&e))?;
    GraphBuilder::new(set).build(&mut ()).map_err(|e| wrong(&e))
}

fn load_graph(folder: &Folder, project: &ProjectFile) -> Result<Option<GraphState>, StudioError> {
    let path = folder.graph();
    if !path.exists() {
        return Ok(None);
    }
    let wrong = |e: gaitway_graph::GraphError| StudioError::new(format!("{}: {e}", path.display()));
    let graph = MotionGraph::load(&path).map_err(wrong)?;
    GraphState::of(graph, project.revision)
        .map(Some)
        .map_err(wrong)
}

type Library = (
    BTreeMap<String, Arc<ClipEntry>>,
    BTreeMap<String, Arc<RecordingEntry>>,
);

/// All clips: of the inputs, of the uploads, and of the graph where it is the only place that has them; and all recordings.
fn library(
    folder: &Folder,
    project: &ProjectFile,
    graph: Option<&GraphState>,
    notes: &mut Vec<String>,
) -> Result<Library, StudioError> {
    let mut out = BTreeMap::new();
    let mut recordings = Vec::new();
    let readings = Readings {
        folder,
        table: &project.reading,
    };
    let mut add = |imports: Vec<ClipEntry>| {
        for entry in imports {
            if !project.removed.contains(&entry.name) {
                out.insert(entry.id.clone(), Arc::new(entry));
            }
        }
    };
    let mut only_in_graph = !matches!(project.origin, Origin::Clips { .. });
    if let Origin::Clips { inputs } = &project.origin {
        let (found, gone) = still_there(inputs);
        for input in &gone {
            notes.push(format!(
                "{input} is not there any more: its clips are shown as the graph has them; put it back and open the project again, or say where it is now: gaitway studio NEW-PLACE --project DIR"
            ));
        }
        only_in_graph |= !gone.is_empty();
        let (clips, recorded) = import_set(found, &readings, notes);
        add(clips);
        recordings.extend(recorded);
    }
    let uploads = folder.clips();
    if let Ok(inputs) = expand(&[uploads.to_string_lossy().into_owned()]) {
        let read = import_uploads(inputs, &readings);
        notes.extend(read.bad.iter().map(ToString::to_string));
        add(read.clips);
        recordings.extend(read.recordings);
    }
    recordings.extend(recordings_in(&folder.recordings(), notes));
    let recordings = by_id(recordings, project);
    if let (Some(graph), true) = (graph, only_in_graph) {
        for entry in graph_entries(graph) {
            if !project.removed.contains(&entry.name) && !out.contains_key(&entry.id) {
                out.insert(entry.id.clone(), Arc::new(entry));
            }
        }
    }
    Ok((out, recordings))
}

/// Recordings that were not taken out. Files of one name in two folders are told apart by these.
fn by_id(
    recordings: Vec<RecordingEntry>,
    project: &ProjectFile,
) -> BTreeMap<String, Arc<RecordingEntry>> {
    let mut out = BTreeMap::new();
    for mut recording in recordings {
        if out.contains_key(&recording.id) {
            recording = recording.with_folder();
        }
        if !project.removed.contains(&recording.file) {
            out.insert(recording.id.clone(), Arc::new(recording));
        }
    }
    out
}

/// The files that inputs name, and inputs that cannot be had any more: folders are moved and sticks pulled out, and what was
/// made from them is still here.
fn still_there(inputs: &[String]) -> (Vec<Input>, Vec<&String>) {
    if let Ok(all) = expand(inputs) {
        return (all, Vec::new());
    }
    let (mut found, mut gone) = (Vec::new(), Vec::new());
    for input in inputs {
        match expand(std::slice::from_ref(input)) {
            Ok(files) => found.extend(files),
            Err(_) => gone.push(input),
        }
    }
    (found, gone)
}

fn graph_entries(state: &GraphState) -> impl Iterator<Item = ClipEntry> + '_ {
    let graph = &state.graph;
    let body = rest_pose(graph.skeleton()).map(Arc::new);
    let own = graph.captured_ids().filter(move |&c| {
        let mirrored = graph.options().with_mirrored && is_mirrored(graph.clip_info(c).name());
        !mirrored
    });
    own.filter_map(move |c| {
        let info = graph.clip_info(c);
        let seconds = |f: usize| f as f64 / info.rate_hz();
        let labels = info.labels().spans().iter().map(|s| LabelSeconds {
            label: s.label.clone(),
            start_s: seconds(s.start),
            end_s: seconds(s.end),
        });
        let name = info.name().to_owned();
        let lost = state.account.lost.iter().filter(|l| l.clip == name);
        let warnings = lost.filter(|l| l.seconds > 0.9 * info.seconds()).map(|l| {
            let what = format!("the graph has none of it ({})", l.reason.as_str());
            Finding::warning("lost", what)
        });
        let file = &info.provenance().file;
        Some(ClipEntry {
            id: clip_id(&name),
            file: if file.is_empty() {
                name.clone()
            } else {
                file.clone()
            },
            format: "graph".to_owned(),
            joints: graph.skeleton().joint_count(),
            frames: info.frame_count(),
            rate_hz: info.rate_hz(),
            labels: labels.collect(),
            warnings: warnings.collect(),
            noise: Vec::new(),
            source: Source::Graph,
            checksum: *info.content_checksum(),
            uploaded: false,
            body: body.clone()?,
            flights: Vec::new(),
            first_frame: 0,
            file_says: None,
            name,
        })
    })
}

/// Writes down a project that has nothing in it yet, in a folder that has none.
///
/// # Errors
/// When the folder cannot be had.
pub fn begin_empty(path: &Path, name: &str) -> Result<(), StudioError> {
    let folder = Folder::open(path)?;
    let project = ProjectFile::new(name, Origin::Clips { inputs: Vec::new() });
    let written = write_json(&folder.file("project.json"), &project);
    folder.release();
    written.map_err(|e| StudioError::new(e.to_string()))
}
