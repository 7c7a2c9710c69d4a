//! Cutting a graph from its candidates, again and again, without computing distances.

use crate::account::Account;
use crate::build::auto;
use crate::build::builder::same_distances;
use crate::build::draft::{Draft, frames_of};
use crate::build::end_cuts::least_fade;
use crate::build::label_index::LabelIndex;
use crate::build::options::{BuildOptions, ContactRule};
use crate::build::select::Material;
use crate::build::thresholds::{ThresholdMatrix, Thresholds};
use crate::{GraphError, MotionGraph};

/// Working frames a cut's displacement lasts at most.
pub(crate) fn fade_frames(options: &BuildOptions) -> Result<u32, GraphError> {
    Ok(frames_of(options.fade_s, options.fps, "a cut to fade")?.max(least_fade(options.fps)))
}

impl MotionGraph {
    /// The same clips and candidates under other thresholds; no distance is computed. Bridges, thinning and the
    /// contact rule may change as well.
    ///
    /// # Errors
    /// When thresholds do not fit the labels, `options` change what distances depend on, or contacts are
    /// needed and the file's frames are damaged.
    pub fn rethreshold(
        &self,
        thresholds: &Thresholds,
        options: &BuildOptions,
    ) -> Result<(Self, Account), GraphError> {
        let (graph, index, matrix) = self.rethreshold_setup(thresholds, options)?;
        graph.cut_with(&index, matrix)
    }

    /// [`MotionGraph::rethreshold`] without the account, for those who turn a knob and look.
    ///
    /// # Errors
    /// As [`MotionGraph::rethreshold`].
    pub fn rethreshold_quick(
        &self,
        thresholds: &Thresholds,
        options: &BuildOptions,
    ) -> Result<Self, GraphError> {
        let (mut graph, index, matrix) = self.rethreshold_setup(thresholds, options)?;
        let material = graph.material(&index)?;
        let draft = Draft::new(&material, &matrix, &graph.options, &graph.labels)?;
        let topology = draft.topology(&material);
        graph.topology = topology;
        graph.thresholds = matrix;
        Ok(graph)
    }

    fn rethreshold_setup(
        &self,
        thresholds: &Thresholds,
        options: &BuildOptions,
    ) -> Result<(Self, LabelIndex, ThresholdMatrix), GraphError> {
        if !same_distances(&self.options, options)
            || self.options.with_mirrored != options.with_mirrored
            || self.options.transitions.reach_ends() != options.transitions.reach_ends()
        {
            let what = "rate, window, markers, ceiling, mirrored copies and whether transitions reach the ends of clips cannot change without building anew";
            return Err(GraphError::Options {
                what: what.to_owned(),
            });
        }
        let graph = Self {
            options: options.clone(),
            topology: Default::default(),
            ..self.clone()
        };
        let index = LabelIndex::new(&graph.library.clips);
        let matrix = match thresholds.matrix(&graph.labels, options.metric.ceiling_cm)? {
            Some(matrix) => matrix,
            None => auto::choose(&graph.material(&index)?, &graph.labels, &graph.options)?,
        };
        Ok((graph, index, matrix))
    }

    /// What the graph is cut from. Frames are only needed, and checked, where contacts matter.
    pub(crate) fn material<'a>(
        &'a self,
        index: &'a LabelIndex,
    ) -> Result<Material<'a>, GraphError> {
        if self.options.contacts != ContactRule::Any {
            self.library.store.check()?;
        }
        Ok(Material {
            clips: &self.library.clips,
            candidates: &self.candidates,
            ends: &self.ends,
            index,
            half: self.half,
            library: &self.library,
            transitions: self.options.transitions,
            fade: fade_frames(&self.options)?,
        })
    }

    /// Cuts the graph under thresholds and accounts for it.
    pub(crate) fn cut_with(
        mut self,
        index: &LabelIndex,
        matrix: ThresholdMatrix,
    ) -> Result<(Self, Account), GraphError> {
        let draft = Draft::new(&self.material(index)?, &matrix, &self.options, &self.labels)?;
        self.topology = draft.topology(&self.material(index)?);
        self.thresholds = matrix;
        let account = Account::new(&self, &self.material(index)?, &draft);
        Ok((self, account))
    }
}
