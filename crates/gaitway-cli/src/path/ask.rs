//! From arguments to what the library takes.

use std::path::{Path as FilePath, PathBuf};
use std::time::Duration;

use gaitway::synth::SynthError;
use gaitway::synth::path::{
    ForbiddenTransition, Path, PathError, PathOptions, STARTS, Search, Start, default_budget,
    parse_obstacles, parse_styles,
};
use gaitway::synth::search::{BnbOptions, Budget};

use super::super::args::PathArgs;
use super::super::make::synth_error;
use super::super::{CliError, files};

fn wrong(error: PathError) -> CliError {
    synth_error(SynthError::from(error))
}

const A_PATH_IS: &str =
    "a path is a JSON, CSV or SVG file, or line, circle, figure8, zigzag, spiral, s, hello";

const OBSTACLES_ARE: &str = "--obstacles takes a JSON list of {\"circle\": [x, z, r]}, {\"box\": [x0, z0, x1, z1]} and {\"polygon\": [[x, z], …]}";

/// The paths named, each from its file or by its name.
pub fn paths(args: &PathArgs) -> Result<Vec<Path>, CliError> {
    if args.paths.is_empty() {
        let error = CliError::new("no PATH is given, and no --end CLIP|LABEL@X,Z,HEADING either");
        return Err(error.with_hint(A_PATH_IS));
    }
    args.paths.iter().map(|p| path(p, args)).collect()
}

fn path(name: &str, args: &PathArgs) -> Result<Path, CliError> {
    let file = FilePath::new(name);
    let text = if file.exists() || named_like_a_file(file) {
        let text = files::read_text(file, A_PATH_IS)?;
        files::refuse_odd_numbers(&text, name)?;
        text
    } else {
        name.to_owned()
    };
    let told = |e: &str| CliError::new(e).with_hint(A_PATH_IS);
    let path = gaitway::parse_path_of(name, &text, args.scale).map_err(|e| told(&e.to_string()))?;
    if args.closed && !path.closed() {
        let closed = Path::new(path.points().to_vec(), true);
        return closed.map_err(|e| told(&format!("{name}: {e}")));
    }
    Ok(path)
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
            parse_obstacles(&text).map_err(|e| wrong(e).in_file(&name))?
        }
    };
    let styles = args.style.as_deref().map(parse_styles).transpose();
    let defaults = PathOptions::default();
    Ok(PathOptions {
        styles: styles.map_err(wrong)?.unwrap_or_default(),
        start: match args.start {
            Some([x, z, degrees]) => Start::At {
                x,
                z,
                heading: degrees.to_radians(),
            },
            None => Start::Best,
        },
        smooth_arc: args.search.no_short_cuts,
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

/// Which search.
pub fn search(args: &PathArgs) -> Search {
    let chosen = match args.search.search.as_str() {
        "bnb" => Search::Bnb(BnbOptions::default()),
        _ => Search::default(),
    };
    chosen.with_seed(args.seed).with_starts(args.search.starts)
}

/// What it may spend; the library's own choice for a crowd where nothing was said.
pub fn budget(args: &PathArgs, path: &Path) -> Budget {
    let default = default_budget(path);
    // Every start gets what it needs: more of them search longer, on more threads.
    let each = default.expansions / STARTS as u64;
    let all = each.saturating_mul(args.search.starts as u64);
    Budget {
        expansions: args.search.expansions.unwrap_or(all),
        time: args.search.max_time.map(Duration::from_secs_f64),
        memory: default.memory / STARTS * args.search.starts,
    }
}

/// Whether the user set a budget.
pub fn has_budget(args: &PathArgs) -> bool {
    args.search.expansions.is_some() || args.search.max_time.is_some()
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

/// What a search for a placed clip may spend.
pub fn place_budget(args: &PathArgs) -> Option<Budget> {
    has_budget(args).then(|| Budget {
        expansions: args
            .search
            .expansions
            .unwrap_or(Budget::default().expansions),
        time: args.search.max_time.map(Duration::from_secs_f64),
        ..Budget::default()
    })
}
