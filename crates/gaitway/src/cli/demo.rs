//! `gaitway demo`: everything on built-in motion, into one folder that opens with a page.

use std::path::Path;

use gaitway::core::performer::{self, PerformedClip};
use gaitway::core::{Clip, ClipSet, LabelSpan};
use gaitway::eval::draw::graph::graph_picture;
use gaitway::eval::draw::page::{Image, Page};
use gaitway::eval::draw::{self, DrawError, RenderOptions, Style, View};
use gaitway::eval::quality::{Quality, QualityOptions, quality};
use gaitway::graph::{Account, GraphBuilder, inspect};
use gaitway::io::{WriteOptions, write_file};
use gaitway::synth::cleanup::{PlantOptions, plant_feet};
use gaitway::synth::{AssembleOptions, RandomWalk, assemble, find_label, random_walk};
use rayon::prelude::*;

use super::args::DemoArgs;
use super::render::{write_bytes, write_scene};
use super::term::Term;
use super::{CliError, Outcome};

/// Captured motion usually comes at 60 Hz or more; this shows what a folder of it looks like.
const RATE_HZ: f64 = 60.0;
/// Poses on a strobe sheet: enough to show a jump in the air.
const STROBES: usize = 12;
/// The takes the page shows, by the end of their names, and what a newcomer should see in them.
const SHOWN: [(&str, &str); 5] = [
    (
        "walk_normal_01",
        "A walk from standing, and back to standing. Arms swing against the legs; a planted foot does not move at all.",
    ),
    (
        "run_01",
        "A run. Between steps both feet are in the air, and the body falls as gravity says.",
    ),
    ("sneak_01", "Sneaking: low, slow, careful steps."),
    (
        "jump_forward_01",
        "A jump: the body gathers, flies, and gives way on landing.",
    ),
    ("sit_01", "Sitting down on a seat and standing up again."),
];

/// Runs the verb.
pub fn run(args: &DemoArgs, term: &mut Term) -> Result<Outcome, CliError> {
    let out = &args.out;
    for folder in ["clips", "glb"] {
        std::fs::create_dir_all(out.join(folder))
            .map_err(|e| CliError::new(format!("{}: {e}", out.display())))?;
    }
    term.say("performing …");
    let takes = performer::library(args.seed, RATE_HZ).map_err(|e| CliError::new(e.to_string()))?;
    let bar = term.progress(takes.len() as u64, "writing clips");
    takes.par_iter().try_for_each(|take| {
        let result = write_take(out, &take.clip);
        bar.inc(1);
        result
    })?;
    bar.finish_and_clear();
    write_bytes(&out.join("clips/labels.csv"), labels_csv(&takes).as_bytes())?;
    term.say("building a graph and walking through it …");
    let made = wander(out, &takes, args.seed)?;
    term.say("drawing …");
    let page = page(out, &takes, &made)?;
    write_bytes(&out.join("index.html"), page.as_bytes())?;
    let seconds: f64 = takes.iter().map(|t| t.clip.seconds()).sum();
    term.say(&format!(
        "{} clips, {:.1} minutes of motion. Open {} in a browser.",
        takes.len(),
        seconds / 60.0,
        out.join("index.html").display()
    ));
    Ok(Outcome::Done)
}

/// A take's name without the folder it is filed under.
fn short_name(clip: &Clip) -> &str {
    clip.name().rsplit('/').next().unwrap_or(clip.name())
}

/// A take as BVH in one folder and as GLB in another, so that each folder holds every motion once.
fn write_take(out: &Path, clip: &Clip) -> Result<(), CliError> {
    for (kind, extension) in [("clips", "bvh"), ("glb", "glb")] {
        let file = out
            .join(kind)
            .join(format!("{}.{extension}", short_name(clip)));
        write_file(&file, clip, &WriteOptions::default())?;
    }
    Ok(())
}

/// The labels BVH cannot hold, as `build --labels` reads them.
fn labels_csv(takes: &[PerformedClip]) -> String {
    let mut out = String::from("file,label,start_s,end_s\n");
    for take in takes {
        let rate = take.clip.rate_hz();
        for LabelSpan { start, end, label } in take.clip.labels().spans() {
            let (start, end) = (*start as f64 / rate, *end as f64 / rate);
            out.push_str(&format!(
                "{}.bvh,{label},{start:.4},{end:.4}\n",
                short_name(&take.clip)
            ));
        }
    }
    out
}

fn page(out: &Path, takes: &[PerformedClip], made: &Made) -> Result<String, CliError> {
    let shown: Vec<(&PerformedClip, &str)> = SHOWN
        .iter()
        .filter_map(|(name, words)| {
            takes
                .iter()
                .find(|t| t.clip.name().ends_with(name))
                .map(|t| (t, *words))
        })
        .collect();
    let pictures: Vec<(String, String)> = shown
        .par_iter()
        .map(|(take, _)| draw_take(out, &take.clip))
        .collect::<Result<_, CliError>>()?;
    let mut page = Page::new(
        "Gaitway: a first look",
        "A person who never existed walked, ran, sneaked, jumped and sat down, and this folder holds what was \
         recorded: clips as any motion-capture system would give them, but made by a program, so that what every \
         foot does is known exactly. This is what Gaitway works on. Put your own clips in their place and \
         everything below works on them as well.",
    );
    page = page.section("What was performed");
    for (i, ((take, words), (strobe, gif))) in shown.iter().zip(&pictures).enumerate() {
        let name = short_name(&take.clip);
        page = page.figure(
            Image::file(strobe.as_str()),
            format!("strobe picture of {name}"),
            *words,
        );
        if i == 0 {
            let dots =
                "The same as points of light. A dozen moving dots are enough to see a person walk.";
            page = page.figure(
                Image::file(gif.as_str()),
                format!("animation of {name}"),
                dots,
            );
        }
    }
    page = page
        .section("A motion nobody performed")
        .paragraph(format!(
            "Wherever two clips look alike for half a second, one can flow into the other. All such places together are a \
             motion graph: here {} transitions between {} clips, of which {:.0} % of the seconds are in reach for ever. \
             A walk through it is new motion; this one takes {} transitions in {:.0} seconds, and its feet were planted \
             afterwards.",
            made.account.transitions,
            made.account.clips,
            100.0 * made.account.kept_seconds / made.account.seconds.max(1e-9),
            made.transitions,
            made.seconds,
        ))
        .figure(Image::file("wander.png"), "strobe picture of a made walk", "Walking, made from pieces of several takes (wander.bvh, wander.glb).")
        .figure(Image::file("wander-top.png"), "the made walk from above", "The same from above: the path, and where the feet stand.")
        .figure(Image::file("graph.png"), "the graph: clips as lanes, transitions as arcs", "The graph: a lane per clip, coloured by what is done there; arcs are transitions.");
    page = page
        .section("From above")
        .paragraph("Where the body goes, which way it faces, and where the feet stand.");
    if let Some(name) = draw_top(out, takes)? {
        page = page.figure(
            Image::file(name),
            "view from above of the take that turns most",
            "Ground seen from above, in metres.",
        );
    }
    let list: Vec<Quality> = takes
        .par_iter()
        .map(|t| quality(&t.clip, None, &QualityOptions::default()))
        .collect();
    page = page
        .section("How clean it is")
        .paragraph(
            "Sliding feet are the first thing everyone sees. Skate is how fast planted feet slide, in centimetres a \
             second; a plant that strays is measured in centimetres; jolts show as acceleration. Here the feet are \
             planted by construction, so this is what zero looks like.",
        )
        .table(
            &["take", "seconds", "plants", "skate cm/s", "worst plant cm", "accel p99.9 m/s²", "below floor cm"],
            &list.iter().map(quality_row).collect::<Vec<_>>(),
        );
    page = page
        .section("Try it yourself")
        .code(
            "gaitway walk demo.gway --seconds 60 --label walk -o minute.bvh\n\
             gaitway walk demo.gway --loop --label run -o run.glb   # the most seamless loop\n\
             gaitway inspect demo.gway                        # what the graph holds, what was lost and why\n\
             gaitway info clips/                              # what is in a folder\n\
             gaitway render clips/walk_normal_01.bvh -o walk.png\n\
             gaitway quality clips/*.bvh                      # sliding feet and jolts, in numbers\n\
             gaitway distance clips/walk_normal_01.bvh clips/walk_normal_02.bvh --plot heat.png\n\
             gaitway convert clips/walk_normal_01.bvh game.glb --in-place",
        )
        .paragraph("Every take lies in clips/ as BVH and in glb/ as GLB, which shows as a person in any viewer.")
        .footer(format!("Made by gaitway {} demo.", env!("CARGO_PKG_VERSION")));
    Ok(page.to_html())
}

/// What the graph part of the demo made.
struct Made {
    account: Account,
    transitions: usize,
    seconds: f64,
}

/// Builds the takes' graph, walks through it, plants the feet, and writes all of it.
fn wander(out: &Path, takes: &[PerformedClip], seed: u64) -> Result<Made, CliError> {
    const SECONDS: f64 = 15.0;
    let wrong = |e: &dyn std::fmt::Display| CliError::new(e.to_string());
    let clips = takes
        .iter()
        .map(|t| t.clip.clone().with_name(short_name(&t.clip)))
        .collect();
    let set = ClipSet::new(clips).map_err(|e| wrong(&e))?;
    let (graph, account) = GraphBuilder::new(set)
        .build(&mut ())
        .map_err(|e| wrong(&e))?;
    graph.save(&out.join("demo.gway")).map_err(|e| wrong(&e))?;
    let label = find_label(&graph, "walk").map_err(|e| wrong(&e))?;
    let options = RandomWalk {
        seconds: SECONDS,
        label: Some(label),
        seed,
        ..RandomWalk::default()
    };
    let walk = random_walk(&graph, &options).map_err(|e| wrong(&e))?;
    let motion = assemble(&graph, &walk, &AssembleOptions::default()).map_err(|e| wrong(&e))?;
    let planted =
        plant_feet(&motion.clip, None, &PlantOptions::default()).map_err(|e| wrong(&e))?;
    let clip = planted.clip.with_name("wander");
    for file in ["wander.bvh", "wander.glb"] {
        write_file(&out.join(file), &clip, &WriteOptions::default())?;
    }
    let views = [
        ("wander.png", View::ThreeQuarter),
        ("wander-top.png", View::Top),
    ];
    for (file, view) in views {
        let options = RenderOptions {
            view,
            ..RenderOptions::default()
        };
        write_scene(
            &out.join(file),
            &draw::still(&clip, &options).map_err(|e| wrong(&e))?,
        )?;
    }
    let title = format!(
        "{} transitions between {} clips",
        account.transitions, account.clips
    );
    let picture = graph_picture(&inspect::layout(&graph, 1500), &title).map_err(|e| wrong(&e))?;
    write_scene(&out.join("graph.png"), &picture)?;
    Ok(Made {
        account,
        transitions: motion.transitions.len(),
        seconds: clip.seconds(),
    })
}

fn draw_take(out: &Path, clip: &Clip) -> Result<(String, String), CliError> {
    let name = short_name(clip);
    let wrong = |e: DrawError| CliError::new(format!("{name}: {e}"));
    let strobe = format!("{name}.png");
    let options = RenderOptions {
        view: View::Side,
        style: Style::Solid,
        moments: Some(STROBES),
        title: Some(name.to_owned()),
        ..RenderOptions::default()
    };
    write_scene(
        &out.join(&strobe),
        &draw::still(clip, &options).map_err(wrong)?,
    )?;
    let gif = format!("{name}.gif");
    let options = RenderOptions {
        style: Style::Points,
        view: View::ThreeQuarter,
        max_seconds: 5.0,
        ..options
    };
    let bytes = draw::animate(clip, &options)
        .and_then(|a| a.to_gif())
        .map_err(wrong)?;
    write_bytes(&out.join(&gif), &bytes)?;
    Ok((strobe, gif))
}

/// The take that turns most, from above.
fn draw_top(out: &Path, takes: &[PerformedClip]) -> Result<Option<String>, CliError> {
    let turns = |c: &Clip| {
        let facing = gaitway::core::ground::smooth_facing(c, 0.5);
        facing.windows(2).map(|w| (w[1] - w[0]).abs()).sum::<f64>()
    };
    let most = takes
        .iter()
        .max_by(|a, b| turns(&a.clip).total_cmp(&turns(&b.clip)));
    let Some(take) = most else { return Ok(None) };
    let options = RenderOptions {
        view: View::Top,
        ..RenderOptions::default()
    };
    let scene = draw::still(&take.clip, &options)
        .map_err(|e| CliError::new(format!("{}: {e}", take.clip.name())))?;
    let name = format!("{}-top.png", short_name(&take.clip));
    write_scene(&out.join(&name), &scene)?;
    Ok(Some(name))
}

fn quality_row(q: &Quality) -> Vec<String> {
    let number =
        |v: Option<f64>, digits: usize| v.map_or("-".to_owned(), |v| format!("{v:.digits$}"));
    vec![
        q.file.rsplit('/').next().unwrap_or(&q.file).to_owned(),
        format!("{:.1}", q.seconds),
        q.contacts.plants.to_string(),
        number(q.skate_cm_s.mean, 2),
        number(q.worst_plant_cm, 2),
        number(q.accel_m_s2.p999, 1),
        number(q.penetration_cm.max, 2),
    ]
}
