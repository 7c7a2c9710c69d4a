//! What feet do, in a line that every verb says alike.

use super::{ContactsSource, Quality};

/// Planted feet, slides and low swings of a motion: one line.
pub fn feet_words(q: &Quality) -> String {
    let mut out = format!("feet: {}", planted(q));
    let Some(glides) = &q.glides else {
        return out;
    };
    let (slides, low) = (&glides.slides, glides.count - glides.slides.count);
    out.push_str(&match slides.count {
        0 => "; none slides over the floor".to_owned(),
        n => format!(
            "; {} over the floor, the longest {:.0} cm",
            counted(n, "slide"),
            slides.longest_cm
        ),
    });
    if let Some(near) = slides.near.filter(|_| slides.count > 0) {
        let near = match near {
            0 => "none".to_owned(),
            n => n.to_string(),
        };
        out.push_str(&format!(", {near} near transitions"));
    }
    if low > 0 {
        out.push_str(&format!("; {}", counted(low, "low swing")));
    }
    out + &again(q)
}

/// The same of a motion and of what was made of it.
pub fn feet_words_changed(before: &Quality, after: &Quality) -> String {
    let number = |v: Option<f64>| v.map_or("-".to_owned(), |v| format!("{v:.2}"));
    let mut out = format!(
        "feet: planted ones slide at {} → {} cm/s",
        number(before.skate_cm_s.mean),
        number(after.skate_cm_s.mean)
    );
    if let (Some(b), Some(a)) = (&before.glides, &after.glides) {
        out.push_str(&format!(
            "; slides over the floor {} → {}, the longest {:.0} → {:.0} cm; low swings {} → {}",
            b.slides.count,
            a.slides.count,
            b.slides.longest_cm,
            a.slides.longest_cm,
            b.count - b.slides.count,
            a.count - a.slides.count
        ));
    }
    out + &again(after)
}

fn planted(q: &Quality) -> String {
    match (q.skate_cm_s.mean, q.worst_plant_cm) {
        (Some(mean), Some(worst)) => {
            format!("planted ones slide at {mean:.2} cm/s, the worst plant strays {worst:.2} cm")
        }
        _ => "none is said to stand".to_owned(),
    }
}

/// A file holds no contacts, so whoever measures it must find them again.
fn again(q: &Quality) -> String {
    match q.contacts.source {
        ContactsSource::Given => {
            " (plants as they were held; `gaitway quality` on the file finds them anew)".to_owned()
        }
        ContactsSource::Detected | ContactsSource::None => String::new(),
    }
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
