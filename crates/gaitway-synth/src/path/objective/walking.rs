//! One edge further: what it costs and what ends it.

use std::borrow::Cow;

use gaitway_core::planar::wrap_angle;
use gaitway_graph::EdgeId;
use glam::DVec2;

use super::PathProblem;
use super::state::PathState;
use crate::path::edge_paths::{Turn, compose};
use crate::path::options::Start;
use crate::path::progress::{Progress, lead};
use crate::search::{Ask, DeadEnd, Step};

/// A walk may pass the end of a piece by this much before it must have changed style.
pub(super) const OVERRUN_M: f64 = 3.0;

/// On the way to an action and from it nearness to the path counts this much: the action has a place of its own, and the path
/// that leads through it is not the way that people sit down or wind up by.
pub(super) const NEAR_ACTION: f64 = 0.2;

impl PathProblem<'_> {
    fn is_last(&self, piece: u16) -> bool {
        piece as usize + 1 == self.pieces.len()
    }

    /// Whether an edge is the first of the next piece: from δ before the border on, whatever carries its label is.
    #[inline]
    pub(super) fn changes_style(&self, from: &PathState, edge: EdgeId) -> bool {
        let Some(next) = self.pieces.get(from.piece as usize + 1) else {
            return false;
        };
        let now = &self.pieces[from.piece as usize];
        let over = match now.action {
            Some(_) => from.happened,
            None => from.arc >= now.to - self.delta,
        };
        over && (self.permits(next, edge) || self.crosses(now, next, edge))
    }

    /// Which piece an edge is played in, and whether it is a new one.
    fn style(&self, from: &PathState, edge: EdgeId) -> Result<(u16, bool), DeadEnd> {
        if self.changes_style(from, edge) {
            return Ok((from.piece + 1, true));
        }
        let now = &self.pieces[from.piece as usize];
        // Who cannot reach what comes next before this piece is long over is on a wrong way.
        let late = match self.ahead(from.piece, from.happened, self.graph.to(edge)) {
            // The event itself is reached by this edge, not after it.
            Some(_) if self.plays_event(from, edge) => false,
            Some((metres, at)) => !metres.is_finite() || from.arc + metres > at + OVERRUN_M,
            None => false,
        };
        if late || !self.permits(now, edge) {
            return Err(DeadEnd::Label);
        }
        Ok((from.piece, false))
    }

    fn plays_event(&self, from: &PathState, edge: EdgeId) -> bool {
        let piece = &self.pieces[from.piece as usize];
        let action = piece.action.filter(|_| !from.happened);
        action.is_some_and(|a| self.actions[a].is_event(edge))
    }

    /// The action that a walk still has to do in a piece, if this edge does it there: what it costs, and how long it goes on.
    fn acts(&self, piece: u16, happened: bool, edge: EdgeId, world: &Turn) -> Option<(f64, u32)> {
        let action = self.pieces[piece as usize].action.filter(|_| !happened)?;
        self.actions[action].met(edge, world)
    }

    /// What it costs that an edge does the next action before its time; nothing where the style itself is that action.
    fn acts_elsewhere(&self, piece: u16, edge: EdgeId) -> f64 {
        let ahead = &self.pieces[piece as usize..];
        let Some((goal, style)) = ahead
            .iter()
            .find_map(|p| Some((&self.actions[p.action?], &ahead[0])))
        else {
            return 0.0;
        };
        if style.label.is_some() && style.label == goal.label {
            return 0.0;
        }
        goal.elsewhere(edge)
    }

    /// What a hard constraint says about a place at a frame.
    pub(super) fn clear(&self, p: DVec2, arc: f64, frame: u32) -> Result<(), DeadEnd> {
        let o = &self.options;
        let body = o.body_radius_m + o.margin_m;
        if let Some(k) = self.solid.within(p, body) {
            return Err(DeadEnd::Obstacle(k as u32));
        }
        for k in self.company.near(p, frame + o.clock_frame) {
            let mover = &o.moving_obstacles[k];
            if let Some(q) = mover.at(frame + o.clock_frame) {
                let apart = body + mover.radius_m + o.margin_m;
                if p.distance_squared(DVec2::from_array(q)) < apart * apart {
                    return Err(DeadEnd::MovingObstacle(k as u32));
                }
            }
        }
        match o.corridor_m {
            Some(width) if self.leaves_corridor(p, arc, width) => Err(DeadEnd::Corridor),
            _ => Ok(()),
        }
    }

    /// The corridor is about the path as it was asked for, wherever it is led round something. Some of it is kept for what planted
    /// feet move.
    fn leaves_corridor(&self, p: DVec2, arc: f64, width: f64) -> bool {
        let width = (width - self.options.margin_m).max(0.5 * width);
        match self.path {
            Cow::Borrowed(path) => path.distance_within(p, arc - 2.0, arc + 2.0) > width,
            Cow::Owned(_) => self.asked.distance(p) > width,
        }
    }

    /// Whether an edge would blend at once where a start is given and the clip goes on: the first frame of a blend is not
    /// quite where its clip is.
    fn leaves_given_start(&self, from: &PathState, edge: EdgeId) -> bool {
        let given = matches!(self.options.start, Start::At { .. });
        given && from.frames == 0 && self.edges.is_transition[edge.index()] && {
            let mut out = self.graph.out_edges(from.node);
            out.any(|e| !self.edges.is_transition[e.index()] && !self.forbidden[e.index()])
        }
    }

    pub(super) fn walk_edge(
        &self,
        from: &PathState,
        edge: EdgeId,
        ask: Ask,
    ) -> Result<Step<PathState>, DeadEnd> {
        if self.forbidden[edge.index()] || self.leaves_given_start(from, edge) {
            return Err(DeadEnd::Forbidden);
        }
        let (piece, new) = self.style(from, edge)?;
        let piece_frames = if new { 0 } else { from.piece_frames };
        let happened = !new && from.happened;
        let style = &self.pieces[piece as usize];
        let last_piece = self.is_last(piece);
        let waits = style.action.is_some() && !happened;
        // Past its event an action is on its way again.
        let end = if happened {
            self.path.length()
        } else {
            style.to
        };
        let rows = self.edges.rows(edge);
        let w = from.world;
        let progress = Progress {
            smooth: self.options.smooth_arc,
            least_m: self.options.least_progress_m,
        };
        let here = self.path.look(from.arc.min(end));
        let mut ahead = lead(&here, DVec2::from_array(from.last));
        let to = self.graph.to(edge);
        let mut out = *from;
        let mut cost = 0.0;
        if self.edges.is_transition[edge.index()] {
            let second = self.second[to.index()];
            if from.recent.contains(&second) {
                cost += self.options.naturalness.repeat;
            }
            out.recent.rotate_right(1);
            out.recent[0] = second;
        }
        cost += self.unasked(style, edge);
        let extra_cost = match self.extra_cost.get(edge.index()) {
            Some(&per_frame) => f64::from(per_frame),
            None => 0.0,
        };
        let extra_cost = extra_cost + self.out_of_style(style, edge);
        let nearness = if style.action.is_some() {
            NEAR_ACTION
        } else {
            1.0
        };
        let typical = self.typical_aside[piece as usize];
        let first = self.edges.first[edge.index()] as usize;
        let rate = self.graph.working_rate_hz();
        let mut walked = 0;
        for (k, row) in rows.iter().enumerate() {
            let p = [
                row.x * w[0] + row.z * w[1] + w[2],
                row.z * w[0] - row.x * w[1] + w[3],
            ];
            let mut ds = row.ds;
            if k == 0 {
                if from.frames == 0 {
                    ds = 0.0;
                } else if !self.options.smooth_arc {
                    let d = [p[0] - out.last[0], p[1] - out.last[1]];
                    ds = (d[0] * d[0] + d[1] * d[1]).sqrt();
                }
            }
            let moved = if from.frames == 0 && k == 0 {
                0.0
            } else {
                progress.step(ds, ahead)
            };
            out.arc += moved;
            if waits {
                let most = style.to.max(from.arc);
                if out.arc > most {
                    out.arc = most;
                    out.waited += self.wait_m;
                }
            }
            let target = self.path.look(out.arc.min(end));
            ahead = lead(&target, DVec2::from_array(p));
            let d = [p[0] - target.at.x, p[1] - target.at.y];
            cost += nearness * (d[0] * d[0] + d[1] * d[1]) + f64::from(row.nat) + extra_cost;
            let over = out.arc - end;
            if over > 0.0 && !last_piece {
                // The path waits at the border, but whoever tarries there pays for it, or would never go on.
                cost += over * over;
            }
            if target.straight {
                cost += f64::from(row.hurry);
            }
            if typical > 0.0 {
                cost += self.excused(first + k, typical);
            }
            if let Some(schedule) = self.schedule.as_ref().filter(|_| !waits) {
                let now_s = f64::from(from.frames + k as u32) / rate;
                cost += schedule.cost(out.arc, now_s, ds * rate);
            }
            if cost > ask.limit {
                return Err(DeadEnd::Bound);
            }
            if self.hard {
                self.clear(DVec2::from_array(p), out.arc, from.frames + k as u32)?;
            }
            out.last = p;
            walked += 1;
            let arrived = match style.action {
                Some(_) => happened && piece_frames + walked >= self.action_frames,
                None => out.arc >= self.path.length() - 1e-9,
            };
            if last_piece && arrived {
                out.done = true;
                break;
            }
            if walked >= ask.most_frames {
                break;
            }
        }
        out.frames = from.frames + walked;
        if walked == 0 {
            return Err(DeadEnd::Other);
        }
        if out.frames > self.most_frames {
            return Err(DeadEnd::TooSlow);
        }
        let t = &self.edges.turns[edge.index()];
        out.world = compose(&w, t);
        out.node = to;
        (out.piece, out.piece_frames) = (piece, piece_frames + walked);
        out.happened = happened;
        if walked as usize == rows.len()
            && let Some((off, stays)) = self.acts(piece, happened, edge, &out.world)
        {
            cost += off;
            if cost > ask.limit {
                return Err(DeadEnd::Bound);
            }
            out.happened = true;
            out.piece_frames = self.action_frames.saturating_sub(stays);
            out.done = last_piece && out.piece_frames >= self.action_frames;
        } else if !happened {
            cost += self.acts_elsewhere(piece, edge);
            if cost > ask.limit {
                return Err(DeadEnd::Bound);
            }
        }
        if out.done && self.path.closed() {
            cost += self.gap(&out);
            if cost > ask.limit {
                return Err(DeadEnd::Bound);
            }
        }
        Ok(Step {
            state: out,
            cost,
            frames: walked,
        })
    }

    /// What a row's cost of facing is to be changed by where the label asks for another angle than straight ahead.
    fn excused(&self, row: usize, typical: f64) -> f64 {
        let n = &self.options.naturalness;
        let aside = f64::from(self.edges.aside[row]);
        let beyond = |angle: f64| {
            let angle = (angle - n.facing_free_rad).max(0.0);
            n.facing * angle * angle
        };
        beyond((aside - typical).abs()) - beyond(aside)
    }

    /// What it costs that the end of a closed path does not meet its start: half a second of being as far off as the last root
    /// is, and of facing as far aside as the body does.
    fn gap(&self, end: &PathState) -> f64 {
        let frames = 0.5 * self.graph.working_rate_hz();
        let place = self.path.at(0.0);
        let d = [end.last[0] - place.x, end.last[1] - place.y];
        let n = &self.options.naturalness;
        let faces = self.edges.nodes[end.node.index()].facing + end.world[1].atan2(end.world[0]);
        let aside = wrap_angle(faces - self.path.heading(0.0)).abs();
        // A label that goes sideways starts and ends so.
        let typical = self.typical_aside[end.piece as usize];
        let turned = ((aside - typical).abs() - n.facing_free_rad).max(0.0);
        frames * (d[0] * d[0] + d[1] * d[1]).min(1.0) * f64::from(n.facing > 0.0)
            + frames * n.facing * turned * turned
    }
}
