//! `gaitway demo`: everything on built-in motion, into one folder that opens with a page.

use std::path::Path;

use gaitway::core::performer::{self, PerformedClip};
use gaitway::core::{Clip, LabelSpan};
use gaitway::eval::draw::page::{Image, Page};
use gaitway::eval::draw::{self, DrawError, RenderOptions, Style, View};
use gaitway::eval::quality::{Quality, QualityOptions, quality};
use gaitway::io::{WriteOptions, write_file};
use rayon::prelude::*;

use super::args::DemoArgs;
use super::render::{write_bytes, write_scene};
use super::term::Term;
use super::{CliError, Outcome};

/// Captured motion usually comes at 60 Hz or more; this shows what a folder of it looks like.
const RATE_HZ: f64 = 60.0;
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
    std::fs::create_dir_all(out.join("clips"))
        .map_err(|e| CliError::new(format!("{}: {e}", out.display())))?;
    term.say("performing …");
    let takes = performer::library(args.seed, RATE_HZ).map_err(|e| CliError::new(e.to_string()))?;
    let bar = term.progress(takes.len() as u64, "writing clips");
    takes.par_iter().try_for_each(|take| {
        let result = write_take(&out.join("clips"), &take.clip);
        bar.inc(1);
        result
    })?;
    bar.finish_and_clear();
    write_bytes(&out.join("clips/labels.csv"), labels_csv(&takes).as_bytes())?;
    term.say("drawing …");
    let page = page(out, &takes)?;
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

fn write_take(folder: &Path, clip: &Clip) -> Result<(), CliError> {
    for extension in ["bvh", "glb"] {
        let file = folder.join(format!("{}.{extension}", short_name(clip)));
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

fn page(out: &Path, takes: &[PerformedClip]) -> Result<String, CliError> {
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
    for ((take, words), (strobe, gif)) in shown.iter().zip(&pictures) {
        let name = short_name(&take.clip);
        page = page
            .figure(Image::file(strobe.as_str()), format!("strobe picture of {name}"), *words)
            .figure(
                Image::file(gif.as_str()),
                format!("animation of {name}"),
                format!("The same as points of light. People recognise a walk from a dozen moving dots ({name})."),
            );
    }
    page = page
        .section("From above")
        .paragraph("Where the body goes, which way it faces, and where the feet stand.");
    if let Some(name) = draw_top(out, takes)? {
        page = page.figure(
            Image::file(name),
            "view from above of a walk with turns",
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
            "gaitway info clips/                              # what is in a folder\n\
             gaitway render clips/walk_normal_01.bvh -o walk.png\n\
             gaitway quality clips/*.bvh                      # sliding feet and jolts, in numbers\n\
             gaitway distance clips/walk_normal_01.bvh clips/walk_normal_02.bvh --plot heat.png\n\
             gaitway convert clips/walk_normal_01.bvh game.glb --in-place",
        )
        .paragraph("Every clip lies in clips/ as BVH and as GLB; a GLB shows as a person in any viewer.")
        .footer(format!("Made by gaitway {} demo.", env!("CARGO_PKG_VERSION")));
    Ok(page.to_html())
}

fn draw_take(out: &Path, clip: &Clip) -> Result<(String, String), CliError> {
    let name = short_name(clip);
    let wrong = |e: DrawError| CliError::new(format!("{name}: {e}"));
    let strobe = format!("{name}.png");
    let options = RenderOptions {
        view: View::Side,
        style: Style::Solid,
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
