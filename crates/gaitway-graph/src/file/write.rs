//! Writing a graph: to a temporary name, then renamed.

use std::io::{BufWriter, Write};
use std::path::Path;

use bytemuck::Pod;
use gaitway_files::{PartFile, folder_of};

use super::{CHECKSUM, FRAME_ARRAYS, meta};
use crate::{GraphError, MotionGraph};

/// One array as it will lie in the file.
struct Tensor {
    name: &'static str,
    dtype: &'static str,
    element: usize,
    shape: Vec<usize>,
    bytes: Data,
}

enum Data {
    Owned(Vec<u8>),
    /// One of the frame arrays, too large to copy.
    Frames(&'static str),
}

fn owned<T: Pod>(
    name: &'static str,
    dtype: &'static str,
    element: usize,
    shape: &[usize],
    values: &[T],
) -> Tensor {
    Tensor {
        name,
        dtype,
        element,
        shape: shape.to_vec(),
        bytes: Data::Owned(bytemuck::cast_slice(values).to_vec()),
    }
}

impl MotionGraph {
    /// Writes the graph, whole or not at all: an existing file stays as it is until the new one is complete.
    /// The same graph gives the same bytes.
    ///
    /// # Errors
    /// What the system says, disk full included.
    pub fn save(&self, path: &Path) -> Result<(), GraphError> {
        self.library.store.check()?;
        let fail = |source: std::io::Error| GraphError::File {
            path: path.to_owned(),
            source,
        };
        let part = PartFile::new_in(folder_of(path)).map_err(fail)?;
        let mut sink = BufWriter::with_capacity(1 << 20, part);
        self.write_to(&mut sink)?.map_err(fail)?;
        let part = sink.into_inner().map_err(|e| fail(e.into_error()))?;
        part.put(path).map_err(fail)?;
        Ok(())
    }

    /// Writes the bytes of the graph's file to a sink, for programs that have a way of their own to write files whole.
    ///
    /// # Errors
    /// When the frames this graph was loaded with are damaged, or what the sink says.
    pub fn write(&self, sink: &mut dyn Write) -> Result<(), GraphError> {
        self.library.store.check()?;
        self.write_to(sink)?.map_err(|source| GraphError::File {
            path: "the graph".into(),
            source,
        })
    }

    /// The bytes of the graph's file.
    ///
    /// # Errors
    /// When the frames this graph was loaded with are damaged.
    pub fn to_bytes(&self) -> Result<Vec<u8>, GraphError> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        Ok(bytes)
    }

    /// The outer result is ours, the inner one the sink's.
    fn write_to(&self, sink: &mut dyn Write) -> Result<std::io::Result<()>, GraphError> {
        let mut tensors = self.tensors();
        tensors.sort_by(|a, b| b.element.cmp(&a.element).then(a.name.cmp(b.name)));
        let header = header(&tensors, &meta::to_text(self)?, |t| self.data(t).len());
        let mut hash = blake3::Hasher::new();
        hash.update(&header);
        for t in tensors
            .iter()
            .filter(|t| t.name != CHECKSUM && !FRAME_ARRAYS.contains(&t.name))
        {
            hash.update_rayon(self.data(t));
        }
        let sum = *hash.finalize().as_bytes();
        let mut write = || {
            sink.write_all(&header)?;
            for t in &tensors {
                sink.write_all(if t.name == CHECKSUM {
                    &sum
                } else {
                    self.data(t)
                })?;
            }
            sink.flush()
        };
        Ok(write())
    }

    fn data<'a>(&'a self, tensor: &'a Tensor) -> &'a [u8] {
        match &tensor.bytes {
            Data::Owned(bytes) => bytes,
            Data::Frames("frame_root") => bytemuck::cast_slice(&self.library.store.root),
            Data::Frames("frame_contacts") => bytemuck::cast_slice(&self.library.store.contacts),
            Data::Frames("frame_rotations") => bytemuck::cast_slice(&self.library.store.rotations),
            Data::Frames(_) => bytemuck::cast_slice(&self.library.store.translations),
        }
    }

    /// All arrays; `docs/formats/gway.md` explains each.
    fn tensors(&self) -> Vec<Tensor> {
        let (c, t, s) = (&self.candidates, &self.topology, &self.library.skeleton);
        let ends = &self.ends;
        let (joints, sites) = (s.joint_count(), s.end_sites().len());
        let rates: Vec<f64> = self.library.clips.iter().map(|c| c.rate_hz).collect();
        let frames: Vec<u32> = self.library.clips.iter().map(|c| c.frames).collect();
        let parents: Vec<u32> = s
            .joints()
            .map(|j| s.parent(j).map_or(u32::MAX, |p| p.0))
            .collect();
        let offsets: Vec<[f32; 3]> = s.joints().map(|j| s.offset(j).to_array()).collect();
        let site_parents: Vec<u32> = s.end_sites().iter().map(|e| e.parent.0).collect();
        let site_offsets: Vec<[f32; 3]> =
            s.end_sites().iter().map(|e| e.offset.to_array()).collect();
        let spans = self.label_spans();
        let frame = |name, dtype, element, shape: &[usize]| Tensor {
            name,
            dtype,
            element,
            shape: shape.to_vec(),
            bytes: Data::Frames(name),
        };
        let total = self.library.store.root.len();
        let mut out = vec![
            owned("candidate_distance_m2", "F64", 8, &[c.len()], &c.distances),
            owned(
                "candidate_transform",
                "F64",
                8,
                &[c.len(), 3],
                &c.transforms,
            ),
            owned("candidate_frames", "U32", 4, &[c.len(), 2], &c.frames),
            owned("candidate_pairs", "U32", 4, &[c.pairs.len(), 2], &c.pairs),
            owned("candidate_starts", "U32", 4, &[c.starts.len()], &c.starts),
            owned("clip_rate_hz", "F64", 8, &[rates.len()], &rates),
            owned("clip_frames", "U32", 4, &[frames.len()], &frames),
            owned(
                "edge_transform",
                "F64",
                8,
                &[t.ends.len(), 3],
                &t.transforms,
            ),
            owned("edge_labels", "U64", 8, &[t.ends.len(), 2], &t.labels),
            owned("edge_candidate", "U32", 4, &[t.ends.len()], &t.candidates),
            owned("edge_ends", "U32", 4, &[t.ends.len(), 2], &t.ends),
            owned("edge_kind", "U8", 1, &[t.ends.len()], &t.kinds),
            owned("edge_length", "U32", 4, &[t.ends.len()], &t.lengths),
            owned("edge_seconds", "F64", 8, &[t.ends.len()], &t.seconds),
            owned("edge_cost_m2", "F64", 8, &[t.ends.len()], &t.costs),
            owned("end_distance_m2", "F64", 8, &[ends.len()], &ends.distances),
            owned(
                "end_transform",
                "F64",
                8,
                &[ends.len(), 3],
                &ends.transforms,
            ),
            owned("end_frames", "U32", 4, &[ends.len(), 2], &ends.frames),
            owned("end_window", "U32", 4, &[ends.len()], &ends.windows),
            owned("end_pairs", "U32", 4, &[ends.pairs.len(), 2], &ends.pairs),
            owned("end_starts", "U32", 4, &[ends.starts.len()], &ends.starts),
            owned("nodes", "U32", 4, &[t.nodes.len(), 2], &t.nodes),
            owned("label_spans", "U32", 4, &[spans.len(), 4], &spans),
            owned("joint_parents", "U32", 4, &[joints], &parents),
            owned("joint_offsets", "F32", 4, &[joints, 3], &offsets),
            owned("end_site_parents", "U32", 4, &[sites], &site_parents),
            owned("end_site_offsets", "F32", 4, &[sites, 3], &site_offsets),
            frame("frame_root", "F64", 8, &[total, 3]),
            frame("frame_contacts", "U32", 4, &[total]),
            frame("frame_rotations", "F32", 4, &[total, joints, 4]),
            frame(
                "frame_translations",
                "F32",
                4,
                &[self.library.store.translations.len(), 3],
            ),
            owned(
                "frames_checksum",
                "U8",
                1,
                &[32],
                &self
                    .library
                    .store
                    .expected
                    .unwrap_or_else(|| self.library.store.checksum()),
            ),
            owned(CHECKSUM, "U8", 1, &[32], &[0_u8; 32]),
        ];
        if !ends.fades.is_empty() {
            let after = out.iter().position(|t| t.name == "end_distance_m2");
            let tensor = owned("end_fade", "U32", 4, &[ends.len()], &ends.fades);
            out.insert(after.map_or(0, |at| at + 1), tensor);
        }
        let moments = self.label_moments();
        if !moments.is_empty() {
            let after = out.iter().position(|t| t.name == "label_spans");
            let tensor = owned("label_moments", "U32", 4, &[moments.len(), 3], &moments);
            out.insert(after.map_or(0, |at| at + 1), tensor);
        }
        out
    }

    /// Clip, label, source frame.
    fn label_moments(&self) -> Vec<[u32; 3]> {
        let mut out = Vec::new();
        for (clip, info) in self.library.clips.iter().enumerate() {
            for moment in info.labels.moments() {
                let label = self.labels.find(&moment.label).map_or(0, |l| l.0);
                out.push([clip as u32, label, moment.frame as u32]);
            }
        }
        out
    }

    /// Clip, label, first source frame, one past the last.
    fn label_spans(&self) -> Vec<[u32; 4]> {
        let mut out = Vec::new();
        for (clip, info) in self.library.clips.iter().enumerate() {
            for span in info.labels.spans() {
                let label = self.labels.find(&span.label).map_or(0, |l| l.0);
                out.push([clip as u32, label, span.start as u32, span.end as u32]);
            }
        }
        out
    }
}

/// Length and JSON of the header, padded with spaces so that the arrays begin on a multiple of eight.
fn header(tensors: &[Tensor], meta: &str, length: impl Fn(&Tensor) -> usize) -> Vec<u8> {
    let mut json = format!(
        "{{\"__metadata__\":{{\"gaitway\":{}}}",
        serde_json::Value::from(meta)
    );
    let mut at = 0;
    for t in tensors {
        let shape: Vec<String> = t.shape.iter().map(usize::to_string).collect();
        let end = at + length(t);
        json.push_str(&format!(
            ",\"{}\":{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{at},{end}]}}",
            t.name,
            t.dtype,
            shape.join(",")
        ));
        at = end;
    }
    json.push('}');
    while !json.len().is_multiple_of(8) {
        json.push(' ');
    }
    let mut bytes = (json.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(json.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::{ClipSet, testing::swinging_clip};

    /// A disk with room for so many bytes.
    struct SmallDisk(usize);

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if self.0 == 0 {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            Ok(taken)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_an_error_wherever_it_fills() {
        let clips = ClipSet::new(vec![swinging_clip("a", 120, 60.0)]).expect("a set");
        let (graph, _) = crate::GraphBuilder::new(clips)
            .build(&mut ())
            .expect("a graph");
        let size = graph.to_bytes().expect("bytes").len();
        for room in [0, 7, 100, size / 2, size - 1] {
            let result = graph.write_to(&mut SmallDisk(room)).expect("no damage");
            assert_eq!(
                result.expect_err("full").kind(),
                std::io::ErrorKind::StorageFull
            );
        }
        graph
            .write_to(&mut SmallDisk(size))
            .expect("no damage")
            .expect("room enough");
    }
}
