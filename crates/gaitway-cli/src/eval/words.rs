//! What `eval` says in tables.

use gaitway::eval::connectivity::{Form, Maneuverability, Measures};

use super::super::args::EvalArgs;
use super::super::render::title;
use super::super::term::table;
use super::{Graded, Measured};

/// Everything that was measured.
pub fn words(all: &[Graded], visible_cm: f64, args: &EvalArgs) -> String {
    let mut out = String::new();
    for graded in all {
        out.push_str(&head(graded, args));
    }
    let how = match all.iter().any(|g| g.visible.is_some()) {
        true => "measured on these graphs",
        false => "as usual; --visible measures it",
    };
    out.push_str(&format!(
        "T_vis, at which joins begin to be seen: {visible_cm:.1} cm ({how})\n"
    ));
    for form in Form::ALL {
        out.push_str(&of_form(all, form, visible_cm, args.bound));
    }
    out.push_str(&seen(all));
    out.push_str(&tried(all));
    out
}

fn head(graded: &Graded, args: &EvalArgs) -> String {
    let graph = &graded.graph;
    let frames: u32 = graph
        .captured_ids()
        .map(|c| graph.clip_info(c).working_frames())
        .sum();
    let ends = match args.no_ends {
        true => "left out",
        false => "taken",
    };
    let between = match graph.clip_count() - graph.captured_count() {
        0 => String::new(),
        n => format!(
            "; {n} interpolated clips and {} joins came with them",
            graph.end_candidates().joins()
        ),
    };
    format!(
        "{}: {} clips, {frames} frames at {} Hz ({:.1} s); {} candidates (local minima over {} frames, up to {} cm), {} near ends of clips ({ends}){between}\n",
        graded.file,
        graph.captured_count(),
        graph.working_rate_hz(),
        f64::from(frames) / graph.working_rate_hz(),
        graph.candidates().len(),
        2 * graph.half_window() + 1,
        graph.options().metric.ceiling_cm,
        graph.end_candidates().len() - graph.end_candidates().joins(),
    )
}

fn meaning(form: Form, bound: f64) -> String {
    match form {
        Form::Cut => "cut: a join takes one frame".to_owned(),
        Form::Decay => "decay: no second join until the jump has faded, 0.2 s".to_owned(),
        Form::Bounded => format!(
            "bounded: as decay, and √D in any half second of a way adds up to no more than {bound} thresholds"
        ),
        Form::Blend => "blend: as the graph is played, transitions as long as they last".to_owned(),
    }
}

/// Graphs one below another at each threshold.
fn of_form(all: &[Graded], form: Form, visible_cm: f64, bound: f64) -> String {
    let of = |g: &'_ Graded| -> Vec<usize> {
        (0..g.rows.len())
            .filter(|&k| g.rows[k].measures.form == form)
            .collect()
    };
    let Some(places) = all.first().map(of).filter(|p| !p.is_empty()) else {
        return String::new();
    };
    let mut rows = Vec::new();
    for k in places {
        for graded in all {
            rows.push(row(graded, &graded.rows[k], visible_cm, all.len() > 1));
        }
    }
    let head = [
        "graph",
        "cm",
        "× T_vis",
        "joins",
        "component",
        "s",
        "dead ends",
        "passed",
        "reach",
        "mean s",
        "LM s",
        "Table 4 min",
        "Table 4 mean",
        "½ s cm",
        "p95",
        "> 1.5 T",
        "joins/s",
    ];
    let same = match all.len() > 1 {
        true => "\nmean s and LM s after a bar: over the frames of the first graph's component\n",
        false => "",
    };
    format!("\n{}\n{}{same}", meaning(form, bound), table(&head, &rows))
}

fn row(graded: &Graded, row: &Measured, visible_cm: f64, several: bool) -> Vec<String> {
    let m = &row.measures;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let own = |cm: Option<f64>, of: &dyn Fn(f64) -> String| cm.map_or("built".to_owned(), of);
    let lm =
        |of: fn(&Maneuverability) -> Option<f64>| number(m.maneuverability.as_ref().and_then(of));
    let beside = |mine: String, other: Option<String>| match other {
        Some(other) if several => format!("{mine} | {other}"),
        _ => mine,
    };
    let bend = |of: &dyn Fn(&gaitway::eval::connectivity::Bend) -> f64| {
        m.bend
            .as_ref()
            .map_or("-".to_owned(), |b| format!("{:.1}", of(b)))
    };
    vec![
        title(&graded.file),
        own(m.threshold_cm, &|cm| {
            format!("{cm:.2}")
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_owned()
        }),
        m.threshold_cm
            .map_or("-".to_owned(), |cm| format!("{:.2}", cm / visible_cm)),
        m.joins.to_string(),
        percent(m.component.share),
        format!("{:.1}", m.component.seconds),
        percent(m.dead_ends),
        percent(m.coverage),
        percent(m.reach),
        beside(mean_time(m), row.same.as_ref().map(mean_time)),
        beside(
            lm(|l| Some(l.lm_s)),
            row.same
                .as_ref()
                .map(|s| number(s.maneuverability.as_ref().map(|l| l.lm_s))),
        ),
        lm(|l| l.table4_minimum_s),
        lm(|l| l.table4_mean_s),
        bend(&|b| b.half_second_cm.mean),
        bend(&|b| b.half_second_cm.p95),
        m.bend
            .and_then(|b| b.above_one_and_a_half)
            .map_or("-".to_owned(), percent),
        bend(&|b| b.joins_per_s),
    ]
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |v| format!("{v:.2}"))
}

fn mean_time(m: &Measures) -> String {
    let Some(t) = &m.mean_time else {
        return "-".to_owned();
    };
    let mut out = format!("{:.2}", t.seconds);
    if !t.exact {
        out.push_str(&format!(" ± {:.2}", t.error_s));
    }
    // A mean over some of the pairs is none of all.
    if t.reached < 0.9995 {
        out.push_str(&format!(" of {:.0} %", 100.0 * t.reached));
    }
    out
}

/// Share of joins seen, by distance.
fn seen(all: &[Graded]) -> String {
    let mut rows = Vec::new();
    for graded in all {
        for r in graded.visible.iter().flat_map(|v| &v.rows) {
            rows.push(vec![
                title(&graded.file),
                format!("{:.0}–{:.0}", r.from_cm, r.to_cm),
                r.joins.to_string(),
                format!("{:.1} %", 100.0 * r.fading),
                format!("{:.1} %", 100.0 * r.bare),
                format!("{:.1}", r.jump_cm.mean),
                r.contacts_differ
                    .map_or("-".to_owned(), |c| format!("{:.0} %", 100.0 * c)),
            ]);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    let head = [
        "graph",
        "cm",
        "joins",
        "seen",
        "as bare cut",
        "worst joint jumps cm",
        "feet differ",
    ];
    format!("\n{}", table(&head, &rows))
}

/// What was tried with the graphs as they stand.
fn tried(all: &[Graded]) -> String {
    let mut out = String::new();
    let mut rows = Vec::new();
    let cm = |m: Option<f64>| m.map_or("-".to_owned(), |m| format!("{:.1}", 100.0 * m));
    for graded in all {
        for c in graded.following.iter().flat_map(|f| &f.curves) {
            rows.push(vec![
                title(&graded.file),
                c.curve.clone(),
                c.status.to_owned(),
                format!("{:.1}", c.seconds),
                cm(c.arc_rms_m),
                cm(c.path_rms_m),
            ]);
        }
    }
    if !rows.is_empty() {
        let head = [
            "graph",
            "curve",
            "status",
            "s",
            "RMS by arc length cm",
            "from the path cm",
        ];
        out.push_str(&format!("\n{}", table(&head, &rows)));
    }
    let rows: Vec<Vec<String>> = all
        .iter()
        .filter_map(|g| g.made.as_ref().map(|m| (g, m)))
        .map(|(g, (m, p))| {
            vec![
                title(&g.file),
                m.ways.to_string(),
                format!("{:.1}", m.seconds),
                format!("{:.2}", m.transitions_per_s),
                format!("{:.2}", m.slides_per_s),
                format!("{:.2}", m.slides_near_per_s),
                format!("{:.1}", p.jump_cm.mean),
                p.contacts_differ
                    .map_or("-".to_owned(), |c| format!("{:.0} %", 100.0 * c)),
                format!("{:.1} %", 100.0 * p.pops),
                p.slide_cm_s.map_or("-".to_owned(), |s| format!("{s:.1}")),
            ]
        })
        .collect();
    if !rows.is_empty() {
        let head = [
            "graph",
            "ways made",
            "s",
            "transitions/s",
            "slides/s",
            "near transitions",
            "worst joint jumps cm",
            "feet differ",
            "pops",
            "unplanted feet slide cm/s",
        ];
        out.push_str(&format!("\n{}", table(&head, &rows)));
    }
    let rows: Vec<Vec<String>> = all
        .iter()
        .filter_map(|g| g.practical.as_ref().map(|p| (g, p)))
        .map(|(g, p)| {
            vec![
                title(&g.file),
                format!("{:.1}", p.side_m),
                p.starts.to_string(),
                number(p.practical_s),
                number(p.open_s),
                format!("{:.1} %", 100.0 * p.no_way),
            ]
        })
        .collect();
    if !rows.is_empty() {
        let head = [
            "graph",
            "room m",
            "starts",
            "LM s there",
            "in the open",
            "no way",
        ];
        out.push_str(&format!("\n{}", table(&head, &rows)));
    }
    out
}
