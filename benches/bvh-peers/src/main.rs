//! The Rust side of `benches/bvh.sh`: times our BVH reader and the crate `bvh_anim` on files held in memory,
//! makes a large file, and measures the memory that reading it takes. Prints `name value` lines.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["time", repetitions, files @ ..] => time(repetitions.parse()?, files),
        ["make", path, megabytes] => make(path, megabytes.parse()?),
        ["memory", path] => memory(path),
        _ => Err(
            "usage: bvh-peers time REPETITIONS FILE… | make FILE MEGABYTES | memory FILE".into(),
        ),
    }
}

/// Each repetition reads all files with one reader, then with the other, so that both meet the same weather.
fn time(repetitions: usize, files: &[&str]) -> Result<(), Box<dyn Error>> {
    let texts: Vec<Vec<u8>> = files.iter().map(fs::read).collect::<Result<_, _>>()?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..repetitions {
        let start = Instant::now();
        for text in &texts {
            black_box(gaitway_io::bvh::read("bench", text)?);
        }
        ours.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        for text in &texts {
            black_box(bvh_anim::from_bytes(text).map_err(|e| e.to_string())?);
        }
        theirs.push(start.elapsed().as_secs_f64());
    }
    println!("gaitway {}\nbvh_anim {}", median(ours), median(theirs));
    Ok(())
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// A walker of 31 joints with smooth angles, until the file has so many megabytes.
fn make(path: &str, megabytes: usize) -> Result<(), Box<dyn Error>> {
    const JOINTS: usize = 31;
    let mut tree = String::from(
        "HIERARCHY\nROOT j0\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n",
    );
    for j in 1..JOINTS {
        tree +=
            &format!("JOINT j{j}\n{{\nOFFSET 0 5 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n");
    }
    tree += &"}\n".repeat(JOINTS);
    let line = |f: usize| {
        let t = f as f64 / 120.0;
        let place = [t.sin(), 90.0, 120.0 * t];
        let angles = (0..3 * JOINTS).map(|c| 60.0 * (t * (1.0 + 0.01 * c as f64) + c as f64).sin());
        let mut text: Vec<String> = place
            .into_iter()
            .chain(angles)
            .map(|v| format!("{v:.4}"))
            .collect();
        text.push("\n".into());
        text.join(" ")
    };
    // Frames are counted ahead from the length of some, so that the header is right.
    let sample: usize = (0..64).map(|f| line(f * 97).len()).sum::<usize>() / 64;
    let frames = megabytes * 1_000_000 / sample + 1000;
    let mut out = BufWriter::new(fs::File::create(path)?);
    write!(
        out,
        "{tree}MOTION\nFrames: {frames}\nFrame Time: .0083333\n"
    )?;
    for f in 0..frames {
        out.write_all(line(f).as_bytes())?;
    }
    Ok(out.flush()?)
}

/// Peak memory above idle while a memory-mapped file is read, with and without the file's own pages.
fn memory(path: &str) -> Result<(), Box<dyn Error>> {
    let file = fs::File::open(path)?;
    // SAFETY: nobody changes the file while the benchmark runs.
    let map = unsafe { memmap2::Mmap::map(&file)? };
    let idle = status("VmRSS")?;
    let start = Instant::now();
    let (clip, _) = gaitway_io::bvh::read(path, &map)?;
    let seconds = start.elapsed().as_secs_f64();
    let (peak, file_pages) = (status("VmHWM")?, status("RssFile")?);
    let tracks: usize = clip
        .translations
        .iter()
        .map(|t| size_of_val(t.values.as_slice()))
        .sum();
    let decoded =
        size_of_val(clip.root.as_slice()) + size_of_val(clip.rotations.as_slice()) + tracks;
    println!(
        "file {}\nframes {}\ndecoded {decoded}\nseconds {seconds}",
        map.len(),
        clip.root.len()
    );
    println!("peak_above_idle {}\nfile_pages {}", peak - idle, file_pages);
    Ok(())
}

/// A field of the process's status, in bytes.
fn status(field: &str) -> Result<usize, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/self/status")?;
    let line = text
        .lines()
        .find(|l| l.starts_with(field))
        .ok_or("no such field")?;
    let kilobytes = line.split_whitespace().nth(1).ok_or("no value")?;
    Ok(kilobytes.parse::<usize>()? * 1024)
}
