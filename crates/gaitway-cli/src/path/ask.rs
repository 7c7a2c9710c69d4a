//! From arguments to what the library takes.

use std::path::{Path as FilePath, PathBuf};
use std::time::Duration;

use gaitway::PathTextError;
use gaitway::graph::MotionGraph;
use gaitway::synth::SynthError;
use gaitway::synth::path::{
    ForbiddenTransition, Path, PathError, PathOptions, PathRequest, PlaceRequest, PlaceWish,
    SEARCHES, Search, Start, Times, Wanted, parse_arrivals, parse_obstacles, parse_speeds,
    parse_styles,
};
use gaitway::synth::search::{AraOptions, BnbOptions};
use glam::DVec2;

use super::super::args::{EndArg, PathArgs, SearchArgs};
use super::super::make::{self, synth_error};
use super::super::{CliError, files};

fn wrong(error: PathError) -> CliError {
    synth_error(SynthError::from(error))
}

const A_PATH_IS: &str =
    "a path is a JSON, CSV or SVG file, or line, circle, figure8, zigzag, spiral, s, hello";

const OBSTACLES_ARE: &str = "--obstacles takes a JSON list of {\"circle\": [x, z, r]}, {\"box\": [x0, z0, x1, z1]} and {\"polygon\": [[x, z], …]}";

/// The paths named, each from its file or by its name.
fn paths(args: &PathArgs) -> Result<Vec<Path>, CliError> {
    if args.paths.is_empty() {
        let error = CliError::new("no PATH is given, and no --end CLIP|LABEL@X,Z,HEADING either");
        return Err(error.with_hint(A_PATH_IS));
    }
    args.paths.iter().map(|p| path(p, args)).collect()
}

fn path(name: &str, args: &PathArgs) -> Result<Path, CliError> {
    let path = path_of(name, args.scale)?;
    if args.closed && !path.closed() {
        let closed = Path::new(path.points().to_vec(), true);
        return closed.map_err(|e| CliError::new(format!("{name}: {e}")).with_hint(A_PATH_IS));
    }
    Ok(path)
}

/// A path from its file or by its name, a unit as long as `scale` says.
pub fn path_of(name: &str, scale: f64) -> Result<Path, CliError> {
    let file = FilePath::new(name);
    let text = if name == "-" || file.exists() || named_like_a_file(file) {
        let text = files::read_text(file, A_PATH_IS)?;
        files::refuse_odd_numbers(&text, name)?;
        text
    } else {
        name.to_owned()
    };
    let named = |e: &str| CliError::new(e).with_hint(A_PATH_IS);
    gaitway::parse_path_of(name, &text, scale).map_err(|e| match e {
        PathTextError::Path {
            error: PathError::Limits { .. } | PathError::TooLong { .. },
            ..
        } => CliError::new(e.to_string()).with_hint(
            "--scale says how many metres a unit of the path is: --scale 0.01 for centimetres",
        ),
        _ => named(&e.to_string()),
    })
}

/// A path may also be given as text, and text may have dots and slashes: only known endings mean a file.
fn named_like_a_file(name: &FilePath) -> bool {
    let ending = name.extension().and_then(|e| e.to_str());
    ending.is_some_and(|e| {
        ["json", "csv", "svg"]
            .iter()
            .any(|k| e.eq_ignore_ascii_case(k))
    })
}

/// What is asked for along the path.
pub fn options(args: &PathArgs) -> Result<PathOptions, CliError> {
    let obstacles = match &args.obstacles {
        None => Vec::new(),
        Some(file) => {
            let name = file.display().to_string();
            let text = files::read_text(file, OBSTACLES_ARE)?;
            files::refuse_odd_numbers(&text, &name)?;
            parse_obstacles(&text).map_err(|e| wrong(e).in_file(&name).with_hint(OBSTACLES_ARE))?
        }
    };
    let styles = args.style.as_deref().map(parse_styles).transpose();
    let arrivals = args.arrive.as_deref().map(parse_arrivals).transpose();
    let speeds = args.speed.as_deref().map(parse_speeds).transpose();
    let defaults = PathOptions::default();
    Ok(PathOptions {
        styles: styles.map_err(wrong)?.unwrap_or_default(),
        times: Times {
            duration_s: args.duration,
            arrivals: arrivals.map_err(wrong)?.unwrap_or_default(),
            speeds: speeds.map_err(wrong)?.unwrap_or_default(),
        },
        start: match args.start {
            Some([x, z, degrees]) => Start::At {
                x,
                z,
                heading: degrees.to_radians(),
            },
            None => Start::Best,
        },
        smooth_arc: !args.search.short_cuts,
        naturalness: defaults.naturalness.scaled(args.search.natural),
        obstacles,
        corridor_m: args.corridor,
        forbid: args.forbid.clone(),
        forbid_transitions: args
            .forbid_transition
            .iter()
            .map(|(from, to)| ForbiddenTransition {
                from: from.clone(),
                to: to.clone(),
            })
            .collect(),
        ..defaults
    })
}

/// The search named, with options of its own.
fn which_search(args: &SearchArgs) -> Result<Search, CliError> {
    let search = Search::from_name(&args.search).unwrap_or_default();
    if let (Search::Bnb(_) | Search::Ara(_), Some(n)) = (&search, args.searches) {
        let what = format!(
            "--searches {n} is an option of --search beam; the search here is {}",
            args.search
        );
        let hint = format!("leave out --searches, or --search {}", args.search);
        return Err(CliError::new(what).with_hint(hint));
    }
    let given = [
        ("--bite", "bnb", args.bite.is_some()),
        ("--keep", "bnb", args.keep.is_some()),
        ("--good-enough", "bnb", args.good_enough.is_some()),
        ("--draw-from", "bnb", args.draw_from.is_some()),
        ("--epsilon", "ara", args.epsilon.is_some()),
    ];
    if let Some((name, of, _)) = given.iter().find(|g| g.2 && g.1 != args.search) {
        let what = format!(
            "{name} is an option of --search {of}; the search here is {}",
            args.search
        );
        let hint = format!("add --search {of}, or leave it out");
        return Err(CliError::new(what).with_hint(hint));
    }
    let defaults = match search {
        Search::Beam(_) => return Ok(search),
        Search::Ara(o) => {
            let epsilons = args.epsilon.unwrap_or(o.epsilons);
            return Ok(Search::Ara(AraOptions { epsilons, ..o }));
        }
        Search::Bnb(defaults) => defaults,
    };
    let horizon = args.bite.or(defaults.horizon);
    let options = BnbOptions {
        horizon,
        keep: args
            .keep
            .unwrap_or(defaults.keep.min(horizon.unwrap_or(u32::MAX))),
        epsilon: args.good_enough.unwrap_or(defaults.epsilon),
        best: args.draw_from.unwrap_or(defaults.best),
        ..defaults
    };
    options.check().map_err(|e| {
        CliError::new(e.to_string()).with_hint("--keep is at most --bite: --bite 90 --keep 30")
    })?;
    Ok(Search::Bnb(options))
}

/// All that is asked for along paths.
pub fn request(args: &PathArgs) -> Result<PathRequest, CliError> {
    let (paths, search) = (paths(args)?, &args.search);
    let people = args.count.unwrap_or(paths.len());
    if args.alternatives > 1 && paths.len() > 1 {
        let what = format!(
            "--alternatives is for one PATH; here are {}, each walked by somebody of a crowd",
            paths.len()
        );
        return Err(CliError::new(what).with_hint(
            "give one PATH, or leave out --alternatives; another --seed makes another crowd",
        ));
    }
    Ok(PathRequest {
        options: options(args)?,
        search: which_search(search)?,
        seed: args.seed,
        searches: search.searches.unwrap_or(SEARCHES),
        expansions: search.expansions,
        time: search.max_time.map(Duration::from_secs_f64),
        people,
        alternatives: args.alternatives,
        out_fps: args.make.out_fps,
        blend: make::blend(&args.make),
        bend_m: search.bend,
        clean: !args.make.no_clean,
        ..PathRequest::along(paths)
    })
}

/// What of searching says something about a path alone.
pub fn refuse_with_end(args: &SearchArgs) -> Result<(), CliError> {
    let given = [
        ("--search bnb", args.search == "bnb"),
        ("--search ara", args.search == "ara"),
        ("--searches", args.searches.is_some()),
        ("--bite", args.bite.is_some()),
        ("--keep", args.keep.is_some()),
        ("--good-enough", args.good_enough.is_some()),
        ("--draw-from", args.draw_from.is_some()),
        ("--epsilon", args.epsilon.is_some()),
    ];
    match given.iter().find(|g| g.1) {
        None => Ok(()),
        Some((name, _)) => Err(CliError::new(format!(
            "{name} is for a PATH; --end searches by beam, several ways one after another"
        ))
        .with_hint(format!(
            "leave out {name}; --seed and --expansions change what is searched"
        ))),
    }
}

/// All that is asked for by `--end`, on a graph that knows which words are labels.
pub fn place_request(
    args: &PathArgs,
    end: &EndArg,
    options: PathOptions,
    graph: &MotionGraph,
) -> PlaceRequest {
    let [x, z, degrees] = end.at;
    let wanted = match graph.labels().find(&end.what) {
        Some(_) => Wanted::Label(end.what.clone()),
        None => Wanted::Clip(end.what.clone()),
    };
    let wish = PlaceWish {
        start: args
            .start
            .map(|[x, z, degrees]| (DVec2::new(x, z), degrees.to_radians())),
        alternatives: args.alternatives,
        seed: args.seed,
        ..PlaceWish::new(wanted, DVec2::new(x, z), degrees.to_radians())
    };
    PlaceRequest {
        options,
        expansions: args.search.expansions,
        time: args.search.max_time.map(Duration::from_secs_f64),
        out_fps: args.make.out_fps,
        blend: make::blend(&args.make),
        clean: !args.make.no_clean,
        play_out: args.play_out,
        ..PlaceRequest::new(wish)
    }
}

/// Of a crowd with the moment at which they set out: `crowd-03-at-4.50s.bvh`. Put there on a timeline, everybody meets nobody.
pub fn timed(out: &FilePath, k: usize, count: usize, start_s: Option<f64>) -> PathBuf {
    let plain = numbered(out, k, count);
    let Some(start_s) = start_s else {
        return plain;
    };
    let stem = plain
        .file_stem()
        .and_then(|s| s.to_str())
        .unwrap_or("motion");
    let extension = plain.extension().and_then(|e| e.to_str()).unwrap_or("bvh");
    plain.with_file_name(format!("{stem}-at-{start_s:.2}s.{extension}"))
}

/// `crowd.bvh` for one, `crowd-01.bvh`, `crowd-02.bvh`, … for many.
pub fn numbered(out: &FilePath, k: usize, count: usize) -> PathBuf {
    if count < 2 {
        return out.to_path_buf();
    }
    let stem = out.file_stem().and_then(|s| s.to_str()).unwrap_or("motion");
    let extension = out.extension().and_then(|e| e.to_str()).unwrap_or("bvh");
    let digits = count.to_string().len().max(2);
    out.with_file_name(format!("{stem}-{:0digits$}.{extension}", k + 1))
}
