//! Arguments of `edit`.

use std::path::PathBuf;

use clap::Args;
use gaitway::retarget::edit::{Pace, Size};
use glam::DVec3;

use super::{ReadArgs, positive_number};

/// What `--help` ends with.
pub const EXAMPLES: &str = "\
Examples:
  gaitway edit walk.bvh -o tall.bvh --taller 10%                      # or --taller 1.85m
  gaitway edit walk.bvh -o long.bvh --legs 5% --arms=-3%
  gaitway edit reach.bvh -o higher.bvh --drag RightHand@1.2=+0,0.15,0  # 15 cm higher than it is at 1.2 s
  gaitway edit reach.bvh -o there.bvh --drag RightHand@1.2=0.4,1.3,2   # to that place, in metres
  gaitway edit walk.bvh -o rail.bvh --keep LeftHand@0.5..3=rail.csv    # t,x,y,z in rows
  gaitway edit push.bvh -o push2.bvh --keep RightHand@1..2=cart.bvh:Handle
  gaitway edit walk.bvh -o round.bvh --path s --scale 0.4              # any curve that `path` takes
  gaitway edit walk.bvh -o quick.bvh --speed 1.2                       # or --speed 0.9@2..4
  gaitway edit walk.bvh -o old.bvh --style-from old_walk.bvh --style-of normal_walk.bvh --amount 0.7";

/// Arguments of `edit`.
#[derive(Debug, Args)]
pub struct EditArgs {
    /// A motion file (or `file.glb#Animation`), or - for standard input.
    #[arg(value_name = "IN")]
    pub input: String,
    /// The motion to write: .bvh, .glb, .gltf or .npz.
    #[arg(short, long, value_name = "OUT")]
    pub out: PathBuf,
    /// Taller by so many per cent, or so many metres tall: 10% or 1.85m. The way grows with the body.
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true)]
    pub taller: Option<Size>,
    /// Longer thighs and shanks, in per cent. The way grows with them; feet stay as they are.
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_hyphen_values = true)]
    pub legs: Option<f64>,
    /// Longer upper arms and forearms, in per cent.
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_hyphen_values = true)]
    pub arms: Option<f64>,
    /// A joint to a place at a time: RightHand@1.2=0.4,1.3,2 in metres of the world, or =+0,0.15,0 from where it is.
    #[arg(long, value_name = "JOINT@S=X,Y,Z", value_parser = drag)]
    pub drag: Vec<DragArg>,
    /// A joint kept on something for a while: a table of t,x,y,z rows, a joint of another clip (FILE:JOINT), or a place.
    #[arg(long, value_name = "JOINT@A..B=THING", value_parser = keep)]
    pub keep: Vec<KeepArg>,
    /// Over how many seconds drags come and go.
    #[arg(long, value_name = "S", default_value_t = 0.25, value_parser = spread)]
    pub spread: f64,
    /// Lead the way along a curve: a file (JSON, CSV, SVG) or a name, as `gaitway path` takes them.
    #[arg(long, value_name = "PATH")]
    pub path: Option<String>,
    /// With --path: metres per unit of the curve.
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = positive_number, requires = "path")]
    pub scale: f64,
    /// Times as fast: 1.2, or 0.9@2..4 from 2 to 4 s.
    #[arg(long, value_name = "TIMES[@A..B]", value_parser = pace)]
    pub speed: Vec<Pace>,
    /// The clip with the manner to take over; what it does otherwise than --style-of is added.
    #[arg(long, value_name = "FILE", requires = "style_of")]
    pub style_from: Option<String>,
    /// The clip without that manner.
    #[arg(long, value_name = "FILE", requires = "style_from")]
    pub style_of: Option<String>,
    /// How much of the difference: 1 is all of it.
    #[arg(long, value_name = "PART", default_value_t = 1.0, value_parser = amount, requires = "style_from", allow_hyphen_values = true)]
    pub amount: f64,
    /// Which joint is what, where it was not found: TOML with [roles], e.g. LeftFoot = "foot_l".
    #[arg(long, value_name = "ROLES.toml")]
    pub map: Option<PathBuf>,
    /// Write how much was changed, and where, as JSON.
    #[arg(long, value_name = "R.json")]
    pub report: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
}

/// A joint, a time and a place.
#[derive(Clone, Debug, PartialEq)]
pub struct DragArg {
    /// The joint's name.
    pub joint: String,
    /// When, seconds.
    pub at_s: f64,
    /// Where.
    pub place: PlaceArg,
}

/// A place, or a way from where something is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlaceArg {
    /// In metres of the world.
    At(DVec3),
    /// From where it is.
    By(DVec3),
}

/// A joint, a while and a thing.
#[derive(Clone, Debug, PartialEq)]
pub struct KeepArg {
    /// The joint's name.
    pub joint: String,
    /// From, to, seconds.
    pub span: (f64, f64),
    /// What it is kept on.
    pub on: KeptOn,
}

/// What a joint is kept on.
#[derive(Clone, Debug, PartialEq)]
pub enum KeptOn {
    /// A place, or a way from where it is.
    Place(PlaceArg),
    /// A table of t,x,y,z.
    Table(PathBuf),
    /// A joint of another clip.
    Joint(String, String),
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').parse::<f64>();
    match number {
        Ok(v) if v.is_finite() && (-90.0..=900.0).contains(&v) => Ok(1.0 + v / 100.0),
        _ => Err("expected per cent from -90% to 900%, such as 5%".to_owned()),
    }
}

fn size(text: &str) -> Result<Size, String> {
    let expected = "expected per cent or metres, such as 10% or 1.85m";
    if text.trim().ends_with('%') {
        return percent(text).map(Size::Times);
    }
    let metres = text
        .trim()
        .strip_suffix('m')
        .and_then(|t| t.trim().parse::<f64>().ok());
    match metres {
        Some(m) if m.is_finite() && (0.1..=100.0).contains(&m) => Ok(Size::Metres(m)),
        _ => Err(expected.to_owned()),
    }
}

fn amount(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(v) if (-3.0..=3.0).contains(&v) => Ok(v),
        _ => Err("expected a number from -3 to 3".to_owned()),
    }
}

fn spread(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(v) if (0.0..=5.0).contains(&v) => Ok(v),
        _ => Err("expected seconds from 0 to 5".to_owned()),
    }
}

fn seconds(text: &str) -> Option<f64> {
    text.trim()
        .parse::<f64>()
        .ok()
        .filter(|s| s.is_finite() && *s >= 0.0)
}

fn pace(text: &str) -> Result<Pace, String> {
    let expected = || "expected how many times as fast, 0.1 to 10: 1.2, or 0.9@2..4".to_owned();
    let (times, span) = match text.split_once('@') {
        None => (text, None),
        Some((times, span)) => {
            let (a, b) = span.split_once("..").ok_or_else(expected)?;
            let ends = seconds(a).zip(seconds(b)).filter(|(a, b)| b > a);
            (times, Some(ends.ok_or_else(expected)?))
        }
    };
    match times.trim().parse::<f64>() {
        Ok(times) if (0.1..=10.0).contains(&times) => Ok(Pace { times, span }),
        _ => Err(expected()),
    }
}

fn place(text: &str) -> Option<PlaceArg> {
    let (by, rest) = match text.trim().strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, text.trim()),
    };
    let numbers: Option<Vec<f64>> = rest
        .split(',')
        .map(|t| t.trim().parse::<f64>().ok().filter(|v| v.is_finite()))
        .collect();
    let [x, y, z] = numbers?[..] else {
        return None;
    };
    let at = DVec3::new(x, y, z);
    Some(if by {
        PlaceArg::By(at)
    } else {
        PlaceArg::At(at)
    })
}

/// `JOINT@WHEN=WHERE`; a joint's name may hold anything but =.
fn parts(text: &str) -> Option<(String, &str, &str)> {
    let (left, right) = text.split_once('=')?;
    let (joint, when) = left.rsplit_once('@')?;
    (!joint.is_empty()).then(|| (joint.to_owned(), when, right))
}

fn drag(text: &str) -> Result<DragArg, String> {
    let expected = || {
        "expected a joint, seconds and metres: RightHand@1.2=0.4,1.3,2 or RightHand@1.2=+0,0.15,0"
            .to_owned()
    };
    let (joint, when, place_text) = parts(text).ok_or_else(expected)?;
    Ok(DragArg {
        joint,
        at_s: seconds(when).ok_or_else(expected)?,
        place: place(place_text).ok_or_else(expected)?,
    })
}

/// `JOINT@A..B=THING`.
pub(super) fn keep(text: &str) -> Result<KeepArg, String> {
    let expected = || {
        "expected a joint, a span and a thing: LeftHand@0.5..3=rail.csv, …=cart.bvh:Handle or …=0.4,1.3,2".to_owned()
    };
    let (joint, when, thing) = parts(text).ok_or_else(expected)?;
    let (a, b) = when.split_once("..").ok_or_else(expected)?;
    let span = seconds(a)
        .zip(seconds(b))
        .filter(|(a, b)| b > a)
        .ok_or_else(expected)?;
    let on = match place(thing) {
        Some(place) => KeptOn::Place(place),
        None if thing.to_ascii_lowercase().ends_with(".csv") => KeptOn::Table(thing.into()),
        None => {
            let (file, joint) = thing
                .rsplit_once(':')
                .filter(|(f, j)| !f.is_empty() && !j.is_empty())
                .ok_or_else(expected)?;
            KeptOn::Joint(file.to_owned(), joint.to_owned())
        }
    };
    Ok(KeepArg { joint, span, on })
}
