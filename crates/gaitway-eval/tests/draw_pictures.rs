//! Pictures: same bytes for the same clip, something to see, and a typed answer to what cannot be drawn.

use gaitway_core::testing::swinging_clip;
use gaitway_core::{Clip, Skeleton, edit};
use gaitway_eval::draw::chart::{Chart, Mark, Series};
use gaitway_eval::draw::page::{Image, Page};
use gaitway_eval::draw::{
    DrawError, Grid, HeatmapOptions, RenderOptions, Scene, Style, View, animate, axes::Axis,
    heatmap, still,
};
use glam::{DVec3, Quat, Vec3};

const VIEWS: [View; 4] = [View::Side, View::Top, View::ThreeQuarter, View::Front];
const STYLES: [Style; 3] = [Style::Stick, Style::Solid, Style::Points];

fn options(view: View, style: Style) -> RenderOptions {
    RenderOptions {
        view,
        style,
        ..RenderOptions::default()
    }
}

/// The box of pixels that differ from the background, as (left, top, right, bottom).
fn ink(scene: &Scene) -> Option<(usize, usize, usize, usize)> {
    let rgba = scene.to_rgba().expect("the scene has a drawable size");
    let b = scene.background;
    let width = scene.width as usize;
    let marked = rgba
        .chunks_exact(4)
        .enumerate()
        .filter(|(_, p)| p[..3] != [b.r, b.g, b.b])
        .map(|(i, _)| (i % width, i / width));
    marked.fold(None, |found, (x, y)| {
        let (l, t, r, d) = found.unwrap_or((x, y, x, y));
        Some((l.min(x), t.min(y), r.max(x), d.max(y)))
    })
}

fn well_formed(scene: &Scene) {
    let svg = scene.to_svg();
    let tree = roxmltree::Document::parse(&svg).expect("the SVG is well-formed");
    assert_eq!(tree.root_element().tag_name().name(), "svg");
    assert!(!svg.contains("NaN") && !svg.contains("inf\""));
}

#[test]
fn every_view_and_style_shows_something_and_is_repeatable() {
    let clip = swinging_clip("stroll <&> \"x\"", 120, 30.0);
    for view in VIEWS {
        for style in STYLES {
            let options = options(view, style);
            let scene = still(&clip, &options).expect("a stroll can be drawn");
            let again = still(&clip, &options).expect("a stroll can be drawn");
            assert_eq!(scene.to_png(), again.to_png(), "{view:?} {style:?}");
            assert_eq!(scene.to_svg(), again.to_svg());
            well_formed(&scene);
            let (left, top, right, bottom) = ink(&scene).expect("the picture is not blank");
            assert!(
                right - left > 200 && bottom - top > 100,
                "{view:?} {style:?}"
            );
        }
    }
}

#[test]
fn figures_stay_inside_a_size_that_was_asked_for() {
    let clip = swinging_clip("stroll", 120, 30.0);
    let options = RenderOptions {
        width: Some(640),
        height: Some(360),
        style: Style::Stick,
        ..RenderOptions::default()
    };
    let scene = still(&clip, &options).expect("a stroll can be drawn");
    assert_eq!((scene.width, scene.height), (640, 360));
    let pixels = scene.to_rgba().expect("the size is allowed");
    // Figures keep clear of the border: only the floor may touch it.
    let blue = |p: &[u8]| p[2] > 120 && p[0] < 90;
    let row = |y: usize| pixels.chunks_exact(4).skip(y * 640).take(640);
    assert!(!row(0).any(blue) && !row(359).any(blue));
    let column = |x: usize| pixels.chunks_exact(4).skip(x).step_by(640);
    assert!(!column(0).any(blue) && !column(639).any(blue));
}

#[test]
fn an_animation_has_its_frames_and_plays_at_the_right_speed() {
    let clip = swinging_clip("stroll", 60, 30.0);
    let options = RenderOptions {
        view: View::ThreeQuarter,
        width: Some(160),
        fps: 15.0,
        ..RenderOptions::default()
    };
    let animation = animate(&clip, &options).expect("a stroll can be staged");
    assert_eq!(animation.frame_count(), 30);
    let file = animation.to_gif().expect("it can be encoded");
    assert_eq!(file, animation.to_gif().expect("twice"));
    let mut reader = gif::DecodeOptions::new();
    reader.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = reader.read_info(&file[..]).expect("a GIF");
    assert_eq!((decoder.width(), decoder.height()), (160, 120));
    let (mut frames, mut hundredths) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().expect("a whole GIF") {
        frames += 1;
        hundredths += usize::from(frame.delay);
    }
    assert_eq!((frames, hundredths), (30, 200));
}

#[test]
fn long_clips_are_shown_in_part() {
    let clip = swinging_clip("stroll", 900, 30.0);
    let options = RenderOptions {
        max_seconds: 2.0,
        ..RenderOptions::default()
    };
    let animation = animate(&clip, &options).expect("a stroll can be staged");
    assert_eq!(animation.frame_count(), 40);
    assert!((animation.seconds() - 2.0).abs() < 1e-9);
}

#[test]
fn no_frames_is_an_error_and_one_frame_is_a_picture() {
    let clip = swinging_clip("stroll", 5, 30.0);
    let none = edit::cut(&clip, 0..0);
    let one = edit::cut(&clip, 2..3);
    for view in VIEWS {
        let options = options(view, Style::Solid);
        assert_eq!(still(&none, &options).err(), Some(DrawError::NoFrames));
        assert_eq!(animate(&none, &options).err(), Some(DrawError::NoFrames));
        let scene = still(&one, &options).expect("one pose is a picture");
        assert!(ink(&scene).is_some());
        let animation = animate(&one, &options).expect("one pose can be staged");
        assert_eq!(animation.frame_count(), 1);
        assert!(animation.to_gif().is_ok());
    }
}

#[test]
fn far_away_is_drawn_and_far_too_large_is_refused() {
    let clip = swinging_clip("stroll", 40, 30.0);
    let moved = |metres: f64| {
        let mut parts = clip.clone().into_parts();
        parts.root.iter_mut().for_each(|p| p.x += metres);
        parts.build().expect("still a clip")
    };
    let options = options(View::ThreeQuarter, Style::Solid);
    let scene = still(&moved(4.0e6), &options).expect("far away is no trouble");
    well_formed(&scene);
    let mut parts = clip.clone().into_parts();
    parts.root[20].x = 1e300;
    let torn = parts.build().expect("still a clip");
    for view in VIEWS {
        let refused = still(
            &torn,
            &RenderOptions {
                view,
                ..RenderOptions::default()
            },
        );
        assert!(matches!(refused, Err(DrawError::Extent { .. })), "{view:?}");
    }
}

#[test]
fn a_lone_joint_and_a_heap_of_joints_are_drawn() {
    let mut lone = Skeleton::builder();
    lone.root("marker", Vec3::ZERO);
    let mut heap = Skeleton::builder();
    let mut last = heap.root("a", Vec3::ZERO);
    for i in 0..6 {
        last = heap.joint(format!("a{i}"), last, Vec3::ZERO);
    }
    for skeleton in [lone, heap] {
        let skeleton = skeleton.build().expect("a tree").shared();
        let joints = skeleton.joint_count();
        let rotations = vec![Quat::IDENTITY; 3 * joints];
        let clip = Clip::new("dot", skeleton, 10.0, vec![DVec3::Y; 3], rotations).expect("fits");
        for view in VIEWS {
            for style in STYLES {
                let scene = still(&clip, &options(view, style)).expect("a dot can be drawn");
                well_formed(&scene);
            }
        }
    }
}

#[test]
fn impossible_options_are_refused() {
    let clip = swinging_clip("stroll", 10, 30.0);
    let base = RenderOptions::default;
    let wrong = [
        RenderOptions {
            width: Some(20_000),
            ..base()
        },
        RenderOptions {
            width: Some(16_000),
            height: Some(16_000),
            ..base()
        },
        RenderOptions {
            width: Some(0),
            ..base()
        },
        RenderOptions {
            moments: Some(0),
            ..base()
        },
        RenderOptions {
            moments: Some(1_000_000),
            ..base()
        },
        RenderOptions {
            fps: f64::NAN,
            ..base()
        },
        RenderOptions {
            fps: 1000.0,
            ..base()
        },
        RenderOptions {
            max_seconds: -1.0,
            ..base()
        },
    ];
    for options in wrong {
        let refused = still(&clip, &options).err();
        let typed = matches!(
            refused,
            Some(DrawError::Option { .. } | DrawError::Size { .. })
        );
        assert!(typed, "{options:?}: {refused:?}");
    }
}

#[test]
fn heat_maps_mark_minima_and_survive_missing_values() {
    let (rows, cols) = (40, 60);
    let value = |i: usize| {
        let (r, c) = ((i / cols) as f32, (i % cols) as f32);
        if r < 2.0 {
            f32::NAN
        } else {
            (r - 20.0).hypot(c - 30.0)
        }
    };
    let values: Vec<f32> = (0..rows * cols).map(value).collect();
    let grid = Grid {
        rows,
        cols,
        values: &values,
    };
    let options = HeatmapOptions::default();
    let plain = heatmap(&grid, &[], &options).expect("a grid can be drawn");
    let marked = heatmap(&grid, &[(20.0, 30.0), (99.0, -4.0)], &options).expect("with minima");
    well_formed(&marked);
    assert_ne!(plain.to_png(), marked.to_png());
    let short = Grid {
        rows: 7,
        cols,
        values: &values,
    };
    assert!(matches!(
        heatmap(&short, &[], &options),
        Err(DrawError::Grid { .. })
    ));
    let huge = Grid {
        rows: usize::MAX,
        cols: 2,
        values: &values,
    };
    assert!(matches!(
        heatmap(&huge, &[], &options),
        Err(DrawError::Grid { .. })
    ));
    let nothing = vec![f32::NAN; 12];
    let grid = Grid {
        rows: 3,
        cols: 4,
        values: &nothing,
    };
    assert!(matches!(
        heatmap(&grid, &[], &options),
        Err(DrawError::NoData { .. })
    ));
    let big = vec![1.0; 3000 * 10];
    let grid = Grid {
        rows: 3000,
        cols: 10,
        values: &big,
    };
    well_formed(&heatmap(&grid, &[], &options).expect("a long grid is shrunk"));
}

#[test]
fn charts_draw_lines_dots_bars_and_log_axes() {
    let curve = |k: f64| {
        (1..50)
            .map(|i| (f64::from(i), k * f64::from(i).powi(2)))
            .collect()
    };
    let chart = Chart {
        title: "Growth".to_owned(),
        x: Axis::log("frames"),
        y: Axis::log("seconds"),
        series: vec![
            Series::line("one", curve(1.0)),
            Series::line("two", curve(3.0)).with_mark(Mark::Dot),
            Series::line("gaps", vec![(2.0, f64::NAN), (3.0, -1.0), (4.0, 5.0)]),
        ],
        ..Chart::default()
    };
    well_formed(&chart.draw(640, 400).expect("a chart can be drawn"));
    let bars = Chart {
        series: vec![
            Series::line("speeds", vec![(1.0, 2.0), (2.0, 1.0), (5.0, 1.0)]).with_mark(Mark::Bar),
        ],
        ..Chart::default()
    };
    assert!(ink(&bars.draw(400, 300).expect("bars can be drawn")).is_some());
    let empty = Chart::default().draw(400, 300);
    assert!(matches!(empty, Err(DrawError::NoData { .. })));
}

#[test]
fn a_page_holds_its_pictures_and_escapes_words() {
    let page = Page::new("<b>Title</b>", "A person walks.")
        .section("One & two")
        .figure(Image::png(vec![1, 2, 3]), "alt", "caption")
        .table(&["name", "cm"], &[vec!["a".into(), "1.5".into()]])
        .code("gaitway demo")
        .links(&[("the clip", "walk.bvh")])
        .footer("done");
    let html = page.to_html();
    assert!(html.contains("&lt;b&gt;Title") && html.contains("data:image/png;base64,AQID"));
    assert!(html.contains("prefers-color-scheme") && !html.contains("http"));
    assert_eq!(html, page.to_html());
}
