//! The one value all handlers share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use gaitway_core::ContactTrack;
use gaitway_graph::MIRROR_SUFFIX;

use super::askers::Askers;
use super::bodies::BodyView;
use super::cache::{ClipCache, Loaded};
use super::characters::{CharacterCache, CharacterEntry};
use super::edits::{Edits, apply_contacts, csv_field};
use super::events::{Event, Events, ProjectPart};
use super::graph::GraphState;
use super::import::read_again;
use super::library::{ClipEntry, Source};
use super::recordings::{RecordingCache, RecordingEntry};
use crate::config::Config;
use crate::error::{ApiError, Code};
use crate::jobs::Jobs;
use crate::project::{Folder, Origin, ProjectFile, write_bytes, write_json};
use crate::wire::gwmo::LabelSeconds;

/// What changes while the server runs.
#[derive(Clone)]
pub struct Inner {
    /// What the project is.
    pub project: ProjectFile,
    /// The clips by id.
    pub clips: BTreeMap<String, Arc<ClipEntry>>,
    /// Markers and sensors by id.
    pub recordings: BTreeMap<String, Arc<RecordingEntry>>,
    /// Characters by id.
    pub characters: BTreeMap<String, Arc<CharacterEntry>>,
    /// What was set by hand.
    pub edits: Edits,
    /// The graph, once there is one.
    pub graph: Option<Arc<GraphState>>,
    /// The clips by body.
    pub bodies: Arc<Vec<BodyView>>,
}

/// A project that is served.
pub struct Studio {
    /// How it was started.
    pub config: Config,
    /// Where it lies.
    pub folder: Folder,
    /// What is told to everybody.
    pub events: Events,
    /// What is being done.
    pub jobs: Jobs,
    /// Frames in memory.
    pub cache: ClipCache,
    /// Markers and sensors in memory, and bodies found in them.
    pub recordings: RecordingCache,
    /// Characters in memory, and motion that was put on them.
    pub characters: CharacterCache,
    /// Few heavy answers are worked out at once; the others wait their turn.
    pub heavy: tokio::sync::Semaphore,
    /// Who asks what thresholds would give.
    pub askers: Askers,
    /// Set when the server stops.
    pub stopping: AtomicBool,
    /// Held by whoever changes something, until it is on disk. True once the project was left: another server, or this one again, may
    /// have its folder then.
    changing: Mutex<bool>,
    inner: RwLock<Inner>,
}

impl Studio {
    pub(super) fn new(config: Config, folder: Folder, jobs: Jobs, inner: Inner) -> Self {
        Self {
            config,
            folder,
            events: Events::default(),
            jobs,
            cache: ClipCache::default(),
            recordings: RecordingCache::default(),
            characters: CharacterCache::default(),
            heavy: tokio::sync::Semaphore::new(2),
            askers: Askers::default(),
            stopping: AtomicBool::new(false),
            changing: Mutex::new(false),
            inner: RwLock::new(inner),
        }
    }

    /// A look at what holds now. Not to be kept across an await.
    pub fn read(&self) -> RwLockReadGuard<'_, Inner> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes something, saves it and tells everybody. When `change` or the saving fails, nothing has happened. Changes
    /// come one after another; those who only look never wait for the disk.
    ///
    /// # Errors
    /// What `change` says, or what the system says when the project cannot be written.
    pub fn change<T>(
        &self,
        what: &[ProjectPart],
        change: impl FnOnce(&mut Inner) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let turn = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        if *turn {
            return Err(ApiError::other_project());
        }
        let mut next = self.read().clone();
        let out = change(&mut next)?;
        if what.contains(&ProjectPart::Clips) {
            next.regroup();
        }
        next.place_labels();
        next.project.revision += 1;
        let revision = next.project.revision;
        self.save(&next, what)?;
        *self.inner.write().unwrap_or_else(PoisonError::into_inner) = next;
        drop(turn);
        self.events.tell(Event::Project {
            revision,
            what: what.to_vec(),
        });
        Ok(out)
    }

    /// Leaves the project: nothing of it changes any more, and its folder is free. Jobs must be over.
    pub fn leave(&self) {
        let mut turn = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        *turn = true;
        self.folder.release();
    }

    /// Does something with the folder while nobody changes anything in it.
    pub fn at_rest<T>(&self, work: impl FnOnce(&Inner) -> T) -> T {
        let _turn = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        work(&self.read())
    }

    /// Writes what changed: the project always, tables where they did.
    fn save(&self, inner: &Inner, what: &[ProjectPart]) -> Result<(), ApiError> {
        let any = |parts: &[ProjectPart]| what.iter().any(|w| parts.contains(w));
        if any(&[ProjectPart::Labels, ProjectPart::Contacts]) {
            write_json(&self.folder.file("edits.json"), &inner.edits)?;
        }
        if any(&[ProjectPart::Labels, ProjectPart::Clips]) {
            write_bytes(
                &self.folder.file("labels.csv"),
                labels_csv(inner).as_bytes(),
            )?;
        }
        if any(&[ProjectPart::Contacts, ProjectPart::Clips]) {
            write_bytes(
                &self.folder.file("contacts.csv"),
                contacts_csv(inner).as_bytes(),
            )?;
        }
        write_json(&self.folder.file("project.json"), &inner.project)?;
        Ok(())
    }

    /// The graph, or word that there is none.
    ///
    /// # Errors
    /// When there is none yet.
    pub fn graph(&self) -> Result<Arc<GraphState>, ApiError> {
        self.read()
            .graph
            .clone()
            .ok_or_else(|| ApiError::not_found("graph yet").hint("build one from the clips first"))
    }

    /// A clip of the library.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn entry(&self, id: &str) -> Result<Arc<ClipEntry>, ApiError> {
        let found = self.read().clips.get(id).cloned();
        found.ok_or_else(|| ApiError::no_clip(id))
    }

    /// The frames of a clip of the library or of the graph (mirrored copies are only there). Reads files: not for the
    /// threads that serve.
    ///
    /// # Errors
    /// When there is none of this id, or its file cannot be read any more.
    pub fn loaded(&self, id: &str) -> Result<Arc<Loaded>, ApiError> {
        let (entry, graph) = {
            let inner = self.read();
            (inner.clips.get(id).cloned(), inner.graph.clone())
        };
        self.cache.get(&format!("clip/{id}"), || {
            let from_graph = |graph: Option<&GraphState>| {
                let missing = || ApiError::no_clip(id);
                let graph = graph.ok_or_else(missing)?;
                let clip = graph.find(id).ok_or_else(missing)?;
                Ok(graph.graph.clip(clip)?)
            };
            match entry.as_deref() {
                None => from_graph(graph.as_deref()),
                Some(entry) => match &entry.source {
                    Source::Graph => from_graph(graph.as_deref()),
                    Source::File {
                        path,
                        animation,
                        fps,
                        reading,
                    } => Ok(read_again(
                        &entry.name,
                        path,
                        animation.as_deref(),
                        *fps,
                        reading,
                        &self.folder,
                    )?),
                },
            }
        })
    }

    /// The contacts of a clip where they were set by hand.
    ///
    /// # Errors
    /// When rows no longer fit the clip.
    pub fn contacts_by_hand(
        &self,
        id: &str,
        loaded: &Loaded,
    ) -> Result<Option<ContactTrack>, ApiError> {
        let rows = {
            let inner = self.read();
            let Some(entry) = inner.clips.get(id) else {
                return Ok(None);
            };
            inner.contact_rows(&entry.name)
        };
        rows.map(|rows| apply_contacts(&loaded.clip, &rows))
            .transpose()
    }
}

impl Inner {
    /// The labels of a clip as they hold now.
    pub fn labels(&self, entry: &ClipEntry) -> Vec<LabelSeconds> {
        let edited = self
            .edits
            .0
            .get(&entry.name)
            .and_then(|e| e.labels.as_ref());
        edited.map_or_else(|| entry.labels.clone(), |e| e.rows.clone())
    }

    /// The contacts of a clip where they are set by hand.
    pub fn contact_rows(&self, name: &str) -> Option<Vec<super::ContactRowJson>> {
        let edited = self.edits.0.get(name)?.contacts.as_ref()?;
        (!edited.detected).then(|| edited.rows.clone())
    }

    /// All label names in use, sorted.
    pub fn label_names(&self) -> Vec<String> {
        let names: BTreeSet<String> = self
            .clips
            .values()
            .flat_map(|e| self.labels(e))
            .map(|r| r.label)
            .collect();
        names.into_iter().collect()
    }

    /// Gives every label a place on the ring of colours. Known ones stay where they are; new ones take the places of those that are
    /// gone, and otherwise the next.
    fn place_labels(&mut self) {
        let mut used: BTreeSet<String> = self.label_names().into_iter().collect();
        if let Some(state) = &self.graph {
            used.extend(state.graph.labels().names().iter().cloned());
        }
        place_labels(&mut self.project.label_places, &used);
    }

    /// What a graph would be built from now, as one short text.
    pub fn fingerprint(&self) -> String {
        self.fingerprint_of(&self.basis())
    }

    /// What a graph of some clips would be built from now.
    pub fn fingerprint_of(&self, entries: &[Arc<ClipEntry>]) -> String {
        let mut hash = blake3::Hasher::new();
        let mut text = |t: &str| {
            hash.update(&(t.len() as u64).to_le_bytes());
            hash.update(t.as_bytes());
        };
        for entry in entries {
            text(&entry.name);
            text(&blake3::Hash::from(entry.checksum).to_hex());
            if let Source::File { reading, .. } = &entry.source
                && !reading.is_plain()
            {
                text(&serde_json::to_string(reading).unwrap_or_default());
            }
            for row in self.labels(entry) {
                text(&format!(
                    "{} {:.4} {:.4}",
                    row.label, row.start_s, row.end_s
                ));
            }
            for row in self.contact_rows(&entry.name).into_iter().flatten() {
                text(&format!(
                    "{} {:.4} {:.4}",
                    row.joint, row.start_s, row.end_s
                ));
            }
            text(";");
        }
        hash.finalize().to_hex()[..32].to_owned()
    }

    /// Whether the graph was built from something else than what is here now.
    pub fn stale(&self) -> bool {
        self.graph.is_some() && self.project.built_from.as_ref() != Some(&self.fingerprint())
    }

    /// Whether this is the built-in performer.
    pub fn is_demo(&self) -> bool {
        self.project.origin == Origin::Demo
    }

    /// Clips are made in projects of one's own.
    ///
    /// # Errors
    /// When this is the built-in performer.
    pub fn not_demo(&self) -> Result<(), ApiError> {
        if !self.is_demo() {
            return Ok(());
        }
        let what = "the demo keeps to itself: no clips are added to it";
        Err(ApiError::new(Code::Conflict, what)
            .hint("save it under another name first: Projects, Save as"))
    }
}

/// Labels that have no place yet get one; see [`Inner::place_labels`].
fn place_labels(places: &mut Vec<String>, used: &BTreeSet<String>) {
    let known: BTreeSet<String> = places.iter().cloned().collect();
    let mut free = 0;
    for label in used.difference(&known) {
        while places.get(free).is_some_and(|at| used.contains(at)) {
            free += 1;
        }
        match places.get_mut(free) {
            Some(place) => place.clone_from(label),
            None => places.push(label.clone()),
        }
    }
}

/// All labels, as `build --labels` reads them.
pub fn labels_csv(inner: &Inner) -> String {
    let mut out = String::from("file,label,start_s,end_s\n");
    for entry in inner.clips.values() {
        for row in inner.labels(entry) {
            let (file, label) = (csv_field(&entry.file), csv_field(&row.label));
            out.push_str(&format!(
                "{file},{label},{:.4},{:.4}\n",
                row.start_s, row.end_s
            ));
        }
    }
    out
}

/// Contacts set by hand, as `clean --contacts` reads them.
pub fn contacts_csv(inner: &Inner) -> String {
    let mut out = String::from("file,joint,start_s,end_s\n");
    for entry in inner.clips.values() {
        for row in inner.contact_rows(&entry.name).into_iter().flatten() {
            let (file, joint) = (csv_field(&entry.file), csv_field(&row.joint));
            out.push_str(&format!(
                "{file},{joint},{:.4},{:.4}\n",
                row.start_s, row.end_s
            ));
        }
    }
    out
}

/// Whether a graph's clip is a mirrored copy, which is no clip of the library.
pub fn is_mirrored(name: &str) -> bool {
    name.ends_with(MIRROR_SUFFIX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever labels come and go: each in use has one place of its own, and keeps it for as long as it is in use.
        #[test]
        fn labels_keep_their_places(steps in prop::collection::vec(prop::collection::btree_set("[a-f]", 0..6), 1..12)) {
            let mut places = Vec::new();
            let mut before: BTreeSet<String> = BTreeSet::new();
            for used in steps {
                let old = places.clone();
                place_labels(&mut places, &used);
                for label in &used {
                    prop_assert_eq!(places.iter().filter(|p| *p == label).count(), 1);
                }
                let place = |list: &[String], label: &str| list.iter().position(|p| p == label);
                for label in used.intersection(&before) {
                    prop_assert_eq!(place(&old, label), place(&places, label));
                }
                prop_assert!(places.len() <= old.len().max(used.len()));
                before = used;
            }
        }
    }
}
