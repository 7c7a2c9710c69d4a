//! The page the demo ends with: the motion first, then how it came about.

use std::path::Path;

use gaitway::core::Clip;
use gaitway::core::performer::PerformedClip;
use gaitway::eval::draw::graph::graph_picture;
use gaitway::eval::draw::page::{Image, Page};
use gaitway::eval::draw::path::{PathView, path_picture};
use gaitway::eval::draw::{self, DrawError, RenderOptions, Scene, Style, View};
use gaitway::eval::quality::{Quality, QualityOptions, quality};
use gaitway::graph::inspect;
use rayon::prelude::*;

use super::super::path::{page as report, quality_of, show};
use super::super::render::{write_bytes, write_scene};
use super::super::{CliError, interrupt};
use super::motion::{Demo, STYLES};
use super::takes::short_name;

/// Poses on a strobe sheet.
const STROBES: usize = 12;
/// A jump goes nowhere far: fewer poses stand clear of one another.
const STROBES_OF_A_JUMP: usize = 6;
/// The takes the page shows, by the end of their names, and what a newcomer should see in them.
const SHOWN: [(&str, &str); 5] = [
    (
        "walk_normal_01",
        "A walk from standing, and back to standing. Arms swing against the legs; a planted foot does not move at all.",
    ),
    ("sneak_01", "Sneaking: low, slow, careful steps."),
    (
        "run_01",
        "A run. Between steps both feet are in the air, and the body falls as gravity says.",
    ),
    (
        "jump_forward_01",
        "A jump: the body gathers, flies, and gives way on landing.",
    ),
    ("sit_01", "Sitting down on a seat and standing up again."),
];

const LEAD: &str = "Nobody ever performed the motion below. Somebody drew the yellow line on the floor, asked for walking, then sneaking, \
     then walking again, and put a pillar in the way. Gaitway took pieces of recorded motion and joined them so that the person \
     follows the line, goes round the pillar, and never slides a foot. It took your machine a few seconds.";

fn wrong(error: DrawError) -> CliError {
    CliError::new(error.to_string())
}

/// Draws everything and writes the page's text.
pub fn page(out: &Path, takes: &[PerformedClip], demo: &Demo) -> Result<String, CliError> {
    let mut page = Page::new("Draw a path, get a person walking it", LEAD);
    page = motion(page, out, demo)?;
    page = clips(page, out, takes)?;
    page = graph(page, out, demo)?;
    page = path(page, demo)?;
    page = feet(page, takes, demo)?;
    page = page
        .section("Try it yourself")
        .paragraph("In this folder; put your own clips in the place of clips/ and all of it works on them as well.")
        .code(format!(
            "gaitway path demo.gway figure8 --style walk -o eight.bvh --page eight.html   # another path\n\
             gaitway path demo.gway path.json --style {STYLES} --obstacles obstacles.json -o again.bvh\n\
             gaitway path demo.gway line --style walk,pick-up@5 -o pick.bvh --gif pick.gif\n\
             gaitway path demo.gway line --style walk --count 5 -o crowd.bvh --plot crowd.png\n\
             gaitway walk demo.gway --seconds 60 --label walk -o minute.bvh         # a minute of wandering\n\
             gaitway walk demo.gway --loop --label run -o run.glb                   # the most seamless loop\n\
             gaitway build clips/ -o mine.gway --labels clips/labels.csv            # the graph, from files\n\
             gaitway inspect mine.gway                                              # what it holds, what was lost and why\n\
             gaitway quality clips/*.bvh                                            # sliding feet and jolts, in numbers"
        ))
        .section("What lies in this folder")
        .links(&[
            ("motion.bvh: the motion, for Blender, Maya, MotionBuilder and most tools", "motion.bvh"),
            ("motion.glb: the same with a body, for any viewer, Godot, Unity, three.js", "motion.glb"),
            ("motion.gif: the animation above", "motion.gif"),
            ("report.json: the numbers above, for programs", "report.json"),
            ("demo.gway: the motion graph", "demo.gway"),
            ("clips/ and glb/: the takes it was made from", "clips/"),
            ("pictures/: all pictures of this page", "pictures/"),
        ])
        .footer(format!("Made by gaitway {} demo.", env!("CARGO_PKG_VERSION")));
    Ok(page.to_html())
}

/// Writes a picture beside the page and puts it into the page as well, so that the page can be passed on alone.
fn kept(out: &Path, name: &str, scene: &Scene) -> Result<Image, CliError> {
    interrupt::go_on()?;
    write_scene(&out.join("pictures").join(name), scene)?;
    Ok(if name.ends_with("svg") {
        Image::svg(scene.to_svg())
    } else {
        Image::png(scene.to_png().map_err(wrong)?)
    })
}

/// The motion as an animation and as a picture.
fn motion(page: Page, out: &Path, demo: &Demo) -> Result<Page, CliError> {
    let Some(motion) = &demo.planned.motion else {
        let reason = demo.planned.report.reason.as_deref().unwrap_or("no walk");
        return Ok(page.paragraph(format!("The search found nothing: {reason}.")));
    };
    let options = RenderOptions {
        view: View::ThreeQuarter,
        max_seconds: 30.0,
        title: Some("walk, sneak, walk".to_owned()),
        ..RenderOptions::default()
    };
    let gif = draw::animate(&motion.clip, &options)
        .and_then(|a| a.to_gif())
        .map_err(wrong)?;
    interrupt::go_on()?;
    write_bytes(&out.join("motion.gif"), &gif)?;
    let mut picture = show::alone(&demo.graph, &demo.request, &demo.planned);
    picture.view = PathView::Slant;
    let slant = kept(out, "motion.png", &path_picture(&picture).map_err(wrong)?)?;
    picture.view = PathView::Map;
    kept(
        out,
        "motion-map.svg",
        &path_picture(&picture).map_err(wrong)?,
    )?;
    Ok(page
        .figure(
            slant,
            "a person walks, sneaks and walks on along a yellow line, round a pillar",
            "The line is the path asked for. Blue is walking, red is sneaking, rings are where one recorded clip flows into another.",
        )
        .figure(
            Image::gif(gif),
            "animation of the motion",
            format!("All {:.0} seconds of it.", demo.planned.report.seconds),
        ))
}

/// What was performed.
fn clips(page: Page, out: &Path, takes: &[PerformedClip]) -> Result<Page, CliError> {
    let seconds: f64 = takes.iter().map(|t| t.clip.seconds()).sum();
    let mut page = page.section("1. Clips").paragraph(format!(
        "It begins with recordings. These {} clips, {:.1} minutes in all, are as a motion-capture system would give them, but made \
         by a program, so that this demonstration needs no download and what every foot does is known exactly.",
        takes.len(),
        seconds / 60.0
    ));
    let shown: Vec<(&Clip, &str)> = SHOWN
        .iter()
        .filter_map(|(name, words)| {
            let take = takes.iter().find(|t| t.clip.name().ends_with(name))?;
            Some((&take.clip, *words))
        })
        .collect();
    let images: Vec<Image> = shown
        .par_iter()
        .map(|(clip, _)| strobe(out, clip))
        .collect::<Result<_, CliError>>()?;
    for ((clip, words), image) in shown.iter().zip(images) {
        let alt = format!("strobe picture of {}", short_name(clip));
        page = page.figure(image, alt, *words);
    }
    Ok(page)
}

fn strobe(out: &Path, clip: &Clip) -> Result<Image, CliError> {
    let name = short_name(clip);
    let options = RenderOptions {
        view: View::Side,
        style: Style::Solid,
        moments: Some(if name.starts_with("jump") {
            STROBES_OF_A_JUMP
        } else {
            STROBES
        }),
        title: Some(name.to_owned()),
        width: Some(1200),
        ..RenderOptions::default()
    };
    let scene = draw::still(clip, &options).map_err(wrong)?;
    kept(out, &format!("{name}.png"), &scene)
}

/// Where clips meet.
fn graph(page: Page, out: &Path, demo: &Demo) -> Result<Page, CliError> {
    let account = &demo.account;
    let title = format!(
        "{} transitions between {} clips",
        account.transitions, account.clips
    );
    let picture = graph_picture(&inspect::layout(&demo.graph, 1500), &title).map_err(wrong)?;
    Ok(page
        .section("2. Where clips meet")
        .paragraph(format!(
            "Wherever two clips look alike for half a second, one can flow into the other. All such places together are a motion \
             graph: here {} transitions between {} clips. Dead ends are taken out, so that whoever walks through it never gets \
             stuck; {:.0} % of the seconds are left.",
            account.transitions,
            account.clips,
            100.0 * account.kept_seconds / account.seconds.max(1e-9),
        ))
        .figure(
            kept(out, "graph.png", &picture)?,
            "the graph: clips as lanes, transitions as arcs",
            "A lane per clip, coloured by what is done there; arcs are transitions.",
        ))
}

/// How well the path is followed.
fn path(page: Page, demo: &Demo) -> Result<Page, CliError> {
    let found = &demo.planned.walk.followed.found;
    let page = page.section("3. A way through").paragraph(format!(
        "Every walk through the graph is a motion, and there are more of them than atoms. The search looked at {} pieces in {:.2} \
         seconds and kept the walk that stays nearest to the path with the fewest and smoothest transitions, in the styles asked \
         for, without touching the pillar.",
        found.expansions, found.seconds
    ));
    let page = report::map(page, &demo.graph, &demo.request, &demo.planned)?;
    report::charts(page, &demo.graph, &demo.request, &demo.planned)
}

/// How clean it is.
fn feet(page: Page, takes: &[PerformedClip], demo: &Demo) -> Result<Page, CliError> {
    let page = page.section("4. Feet that stand").paragraph(
        "Sliding feet are the first thing everyone sees. Where clips are blended they slide a little, so at the end every foot that \
         should stand is put in one place and the legs are bent to reach it. What is left is measured.",
    );
    let page = report::numbers(page, &demo.graph, &demo.request, &demo.planned)?;
    let mut list: Vec<Quality> = takes
        .par_iter()
        .filter(|t| SHOWN.iter().any(|s| t.clip.name().ends_with(s.0)))
        .map(|t| quality(&t.clip, None, &QualityOptions::default()))
        .collect();
    if let Some(motion) = &demo.planned.motion {
        list.insert(0, quality_of(&demo.graph, motion, "the motion made")?);
    }
    let page = page
        .paragraph(
            "Beside some of the takes it was made from: skate is how fast planted feet slide, a plant that strays is measured in \
             centimetres, jolts show as acceleration.",
        )
        .table(
            &[
                "take",
                "seconds",
                "plants",
                "skate cm/s",
                "worst plant cm",
                "accel p99.9 m/s²",
                "below floor cm",
            ],
            &list.iter().map(quality_row).collect::<Vec<_>>(),
        );
    Ok(report::transitions(
        page.paragraph("The transitions it takes, and how unlike the clips are where they meet:"),
        &demo.planned,
    ))
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
