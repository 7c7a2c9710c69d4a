//! The naive scan that the search near the ends of clips is held against.

use gaitway_metric::{
    EndCandidate, EndMinima, EndOptions, EndSearch, MetricOptions, Placement, PointCloud, naive,
};

/// Within this much of a neighbour, in m², single precision may decide otherwise (DESIGN 3.1).
const TIE: f64 = 1e-6;

/// D and n of every pair of frames by the twin.
fn grid(a: &PointCloud, b: &PointCloud, options: &MetricOptions) -> Vec<Vec<(f64, usize)>> {
    let window = options.window(a.rate_hz()).unwrap();
    let value = |i, j| match options.placement {
        Placement::Fixed => naive::end_fixed(a, i, b, j, &window),
        Placement::Free => {
            let (at, n) = naive::end_align(a, i, b, j, &window);
            (at.distance_m2, n)
        }
    };
    (0..a.frame_count())
        .map(|i| (0..b.frame_count()).map(|j| value(i, j)).collect())
        .collect()
}

/// The least by which the neighbours that count lie above a pair: negative if one is nearer.
fn lead(grid: &[Vec<(f64, usize)>], i: usize, j: usize, half: usize, rule: EndMinima) -> f64 {
    let (near_end, near_start) = (i + half >= grid.len(), j < half);
    let mut lead = f64::INFINITY;
    for di in -1isize..=1 {
        for dj in -1isize..=1 {
            let counts = match rule {
                EndMinima::Both => (di, dj) != (0, 0),
                EndMinima::Along => {
                    (near_end && di == 0 && dj != 0) || (near_start && di != 0 && dj == 0)
                }
            };
            let row = i.checked_add_signed(di).and_then(|r| grid.get(r));
            if let Some(other) = row.and_then(|r| r.get(j.checked_add_signed(dj)?))
                && counts
            {
                lead = lead.min(other.0 - grid[i][j].0);
            }
        }
    }
    lead
}

/// Holds the candidates of an ordered pair against a scan of every pair of frames. Returns how many the scan finds.
pub fn check_pair(
    a: &PointCloud,
    b: &PointCloud,
    itself: bool,
    options: &MetricOptions,
    ends: &EndOptions,
    found: &[EndCandidate],
) -> usize {
    let window = options.window(a.rate_hz()).unwrap();
    let (half, whole) = (window.half(), window.frames() as f64);
    let ceiling_m2 = (options.ceiling_cm / 100.0).powi(2);
    let grid = grid(a, b, options);
    assert!(
        found.is_sorted_by(|x, y| (x.i, x.j) < (y.i, y.j)),
        "out of order, or twice"
    );
    let mut scanned = 0;
    let mut left = found.iter().peekable();
    for i in 0..a.frame_count() {
        for j in 0..b.frame_count() {
            let (d, n) = grid[i][j];
            let inside = (i + half >= a.frame_count() || j < half)
                && i >= 1
                && j + ends.room as usize <= b.frame_count()
                && !(itself && i.abs_diff(j) <= 2 * half + 1);
            let lead = lead(&grid, i, j, half, ends.minima);
            let scaled = d * whole / n as f64;
            let got = left.next_if(|c| (c.i as usize, c.j as usize) == (i, j));
            let at = format!("({i}, {j}) of {} and {}", a.frame_count(), b.frame_count());
            if let Some(c) = got {
                assert!(inside, "{at} is outside");
                assert!(lead > -TIE, "{at} is no minimum: {lead:e}");
                assert!(
                    (c.distance_m2 - d).abs() < 1e-9 * d.max(1.0),
                    "{at}: {} and {d}",
                    c.distance_m2
                );
                assert!(scaled < ceiling_m2 + 1e-9 && c.frames as usize == n, "{at}");
            } else {
                let missed = inside && lead > TIE && scaled < ceiling_m2 - 1e-9;
                assert!(!missed, "{at} at {d} was missed");
            }
            scanned += usize::from(inside && lead > 0.0 && scaled < ceiling_m2);
        }
    }
    assert!(left.next().is_none());
    scanned
}

/// [`check_pair`] for all ordered pairs of a set.
pub fn check_all(
    clouds: &[PointCloud],
    options: &MetricOptions,
    ends: &EndOptions,
    found: &EndSearch,
) -> usize {
    let pairs: Vec<_> = found.pairs.iter().map(|p| (p.from, p.to)).collect();
    assert!(pairs.is_sorted_by(|a, b| a < b), "out of order, or twice");
    let mut scanned = 0;
    for (from, a) in clouds.iter().enumerate() {
        for (to, b) in clouds.iter().enumerate() {
            let pair = found.pairs.iter().find(|p| (p.from, p.to) == (from, to));
            assert!(pair.is_none_or(|p| !p.candidates.is_empty()));
            let candidates = pair.map_or(&[][..], |p| &p.candidates);
            scanned += check_pair(a, b, from == to, options, ends, candidates);
            check_transforms(a, b, options, candidates);
        }
    }
    assert_eq!(found.dropped, 0);
    scanned
}

/// The transforms of an ordered pair are those of the twin.
fn check_transforms(
    a: &PointCloud,
    b: &PointCloud,
    options: &MetricOptions,
    found: &[EndCandidate],
) {
    let window = options.window(a.rate_hz()).unwrap();
    for c in found {
        let got = (c.theta, c.x0, c.z0);
        if options.placement == Placement::Fixed {
            assert_eq!(got, (0.0, 0.0, 0.0));
            continue;
        }
        let (twin, _) = naive::end_align(a, c.i as usize, b, c.j as usize, &window);
        // A single marker in a single frame has no heading: any turn is as good as any other.
        let far = 1e-6 * (1.0 + c.x0.abs() + c.z0.abs());
        let near = (c.theta - twin.theta).sin().abs() < 1e-6
            && (c.x0 - twin.x0).abs() < far
            && (c.z0 - twin.z0).abs() < far;
        let turns = a.marker_count() > 1 || c.frames > 1;
        assert!(near || !turns, "{c:?} and {twin:?}");
    }
}
