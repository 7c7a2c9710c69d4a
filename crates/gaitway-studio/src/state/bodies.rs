//! Clips by body: a graph has one, and clips of several lie side by side in the library.

use std::collections::BTreeMap;
use std::sync::Arc;

use gaitway_core::clip_set::{bodies, same_body};
use gaitway_core::{Clip, Skeleton};
use gaitway_io::door::{Flight, judge_rates};
use glam::{DVec3, Quat};
use serde::Serialize;
use utoipa::ToSchema;

use super::library::{ClipEntry, Finding};
use super::studio::Inner;
use crate::project::Basis;

/// Clips of one body.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BodyView {
    /// As `gaitway info --json` calls the skeleton of these clips.
    pub id: String,
    /// Its joints, end sites not counted.
    pub joints: usize,
    /// Ids of its clips, by name.
    pub clips: Vec<String>,
    /// Of motion in all.
    pub seconds: f64,
}

/// A body that stands in its rest pose, for clips that come of no file.
pub fn rest_pose(skeleton: &Arc<Skeleton>) -> Option<Clip> {
    gaitway_core::clip::ClipParts {
        name: "rest".to_owned(),
        skeleton: skeleton.clone(),
        rate_hz: 30.0,
        root: vec![DVec3::ZERO],
        rotations: vec![Quat::IDENTITY; skeleton.joint_count()],
        translations: Vec::new(),
        labels: gaitway_core::LabelTrack::default(),
        contacts: None,
    }
    .build()
    .ok()
}

/// Clips by body, those with most motion first.
pub fn grouped<'a>(clips: impl Iterator<Item = &'a ClipEntry>) -> Vec<BodyView> {
    let entries: Vec<&ClipEntry> = clips.collect();
    let stand_ins: Vec<Clip> = entries
        .iter()
        .map(|e| (*e.body).clone().with_name(e.name.clone()))
        .collect();
    let mut out: Vec<BodyView> = bodies(&stand_ins.iter().collect::<Vec<_>>())
        .into_iter()
        .map(|body| {
            let members: Vec<&ClipEntry> = body.clips.iter().map(|&k| entries[k]).collect();
            BodyView {
                id: body.id,
                joints: members.first().map_or(0, |e| e.joints),
                seconds: members.iter().map(|e| e.seconds()).sum(),
                clips: members.iter().map(|e| e.id.clone()).collect(),
            }
        })
        .collect();
    out.sort_by(|a, b| b.seconds.total_cmp(&a.seconds).then(a.id.cmp(&b.id)));
    out
}

impl Inner {
    /// After the clips changed: who is of one body, and what their flights say of their rates together.
    pub(super) fn regroup(&mut self) {
        self.bodies = Arc::new(grouped(self.clips.values().map(AsRef::as_ref)));
        let code = gaitway_core::WarningCode::RateImplausible.as_str();
        let overridden = gaitway_core::WarningCode::RateOverridden.as_str();
        let mut verdicts: BTreeMap<String, Option<Finding>> = BTreeMap::new();
        for body in self.bodies.iter() {
            let mut by_rate: BTreeMap<u64, Vec<&ClipEntry>> = BTreeMap::new();
            for entry in body.clips.iter().filter_map(|id| self.clips.get(id)) {
                // Who was told a rate is not asked about it any more.
                if !entry.warnings.iter().any(|w| w.code == overridden) {
                    let rate = by_rate.entry(entry.rate_hz.to_bits()).or_default();
                    rate.push(entry);
                }
            }
            for (rate, entries) in by_rate {
                let evidence: Vec<&[Flight]> = entries.iter().map(|e| &e.flights[..]).collect();
                let found = judge_rates(&evidence, f64::from_bits(rate));
                for (entry, warning) in entries.iter().zip(found) {
                    verdicts.insert(entry.id.clone(), warning.as_ref().map(Finding::from));
                }
            }
        }
        for (id, verdict) in verdicts {
            let Some(entry) = self.clips.get_mut(&id) else {
                continue;
            };
            let known = entry.warnings.iter().find(|w| w.code == code);
            if known != verdict.as_ref() {
                let entry = Arc::make_mut(entry);
                entry.warnings.retain(|w| w.code != code);
                entry.warnings.extend(verdict);
            }
        }
    }

    /// The clips of the body with an id.
    pub fn body(&self, id: &str) -> Option<&BodyView> {
        self.bodies.iter().find(|b| b.id == id)
    }

    /// The clips the graph is built from: those chosen, as far as they are still here, else all.
    pub fn basis(&self) -> Vec<Arc<ClipEntry>> {
        self.chosen(self.project.basis.as_ref())
    }

    /// The clips that a choice means.
    pub fn chosen(&self, basis: Option<&Basis>) -> Vec<Arc<ClipEntry>> {
        let all = || self.clips.values().cloned().collect();
        let Some(basis) = basis else {
            // Nobody chose: where there is a graph, its body goes on, whoever else is in the library.
            let Some(graph) = self.graph.as_ref().filter(|_| self.bodies.len() > 1) else {
                return all();
            };
            let in_graph = self.clips.values().filter(|e| graph.find(&e.id).is_some());
            let clips: Vec<String> = in_graph.map(|e| e.name.clone()).collect();
            let whole_body = true;
            return self.chosen(Some(&Basis { clips, whole_body }));
        };
        let named = |e: &ClipEntry| basis.clips.contains(&e.name);
        let is_in = |id: &String| self.clips.get(id).is_some_and(|e| named(e));
        let out: Vec<Arc<ClipEntry>> = if basis.whole_body {
            let bodies = self.bodies.iter().filter(|b| b.clips.iter().any(is_in));
            let ids = bodies.flat_map(|b| &b.clips);
            let mut found: Vec<_> = ids.filter_map(|id| self.clips.get(id).cloned()).collect();
            found.sort_by(|a, b| a.id.cmp(&b.id));
            found
        } else {
            self.clips.values().filter(|e| named(e)).cloned().collect()
        };
        if out.is_empty() { all() } else { out }
    }

    /// Whether a clip is of the body the graph has.
    pub fn is_of_graph(&self, entry: &ClipEntry) -> bool {
        let stand_in = self
            .graph
            .as_ref()
            .and_then(|g| rest_pose(g.graph.skeleton()));
        stand_in.is_some_and(|body| same_body(&body, &entry.body))
    }
}
