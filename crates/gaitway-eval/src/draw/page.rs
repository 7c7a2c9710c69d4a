//! A report as one HTML page: words, tables and pictures, nothing loaded from elsewhere.
//!
//! ```
//! use gaitway_eval::draw::page::{Image, Page};
//!
//! let html = Page::new("A first walk", "What you see is a person walking, made from recorded pieces.")
//!     .section("In numbers")
//!     .table(&["clip", "seconds"], &[vec!["walk".into(), "3.9".into()]])
//!     .figure(Image::file("walk.png"), "A person walking to the right", "The walk from the side.")
//!     .to_html();
//! assert!(html.starts_with("<!DOCTYPE html>"));
//! ```

use base64::prelude::{BASE64_STANDARD, Engine};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A picture on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Image {
    /// Inside the page: the kind of file (`image/png`) and its bytes.
    Inside {
        /// Media type.
        kind: String,
        /// The file.
        bytes: Vec<u8>,
    },
    /// Beside the page, by its relative path.
    File(String),
}

impl Image {
    /// A PNG inside the page.
    pub fn png(bytes: Vec<u8>) -> Self {
        Self::inside("image/png", bytes)
    }

    /// A GIF inside the page.
    pub fn gif(bytes: Vec<u8>) -> Self {
        Self::inside("image/gif", bytes)
    }

    /// An SVG inside the page.
    pub fn svg(text: String) -> Self {
        Self::inside("image/svg+xml", text.into_bytes())
    }

    /// A file beside the page.
    pub fn file(path: impl Into<String>) -> Self {
        Self::File(path.into())
    }

    fn inside(kind: &str, bytes: Vec<u8>) -> Self {
        Self::Inside {
            kind: kind.to_owned(),
            bytes,
        }
    }

    fn source(&self) -> String {
        match self {
            Self::Inside { kind, bytes } => {
                format!("data:{kind};base64,{}", BASE64_STANDARD.encode(bytes))
            }
            Self::File(path) => path.clone(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Block {
    Section(String),
    Paragraph(String),
    Code(String),
    Links(Vec<(String, String)>),
    Table {
        head: Vec<String>,
        rows: Vec<Vec<String>>,
    },
    Figure {
        image: Image,
        alt: String,
        caption: String,
    },
}

/// A page, built from top to bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    title: String,
    lead: String,
    footer: String,
    blocks: Vec<Block>,
}

impl Page {
    /// A page with its heading and the words it opens with: say in them what there is to see, for someone who has never
    /// heard of any of it.
    pub fn new(title: impl Into<String>, lead: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            lead: lead.into(),
            footer: String::new(),
            blocks: Vec::new(),
        }
    }

    /// Begins a section.
    pub fn section(self, heading: impl Into<String>) -> Self {
        self.with(Block::Section(heading.into()))
    }

    /// A paragraph.
    pub fn paragraph(self, words: impl Into<String>) -> Self {
        self.with(Block::Paragraph(words.into()))
    }

    /// Commands or code, as typed.
    pub fn code(self, text: impl Into<String>) -> Self {
        self.with(Block::Code(text.into()))
    }

    /// A list of links: words and where they lead.
    pub fn links(self, links: &[(&str, &str)]) -> Self {
        let own = |&(words, to): &(&str, &str)| (words.to_owned(), to.to_owned());
        self.with(Block::Links(links.iter().map(own).collect()))
    }

    /// A table; cells that are numbers are set to the right.
    pub fn table(self, head: &[&str], rows: &[Vec<String>]) -> Self {
        self.with(Block::Table {
            head: head.iter().map(|h| (*h).to_owned()).collect(),
            rows: rows.to_vec(),
        })
    }

    /// A picture, what it shows in words for those who cannot see it, and a caption.
    pub fn figure(self, image: Image, alt: impl Into<String>, caption: impl Into<String>) -> Self {
        self.with(Block::Figure {
            image,
            alt: alt.into(),
            caption: caption.into(),
        })
    }

    /// The last line.
    pub fn footer(mut self, words: impl Into<String>) -> Self {
        self.footer = words.into();
        self
    }

    fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// The page as text.
    pub fn to_html(&self) -> String {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    main {
                        h1 { (self.title) }
                        p.lead { (self.lead) }
                        @for block in &self.blocks { (block.markup()) }
                        @if !self.footer.is_empty() { footer { (self.footer) } }
                    }
                }
            }
        }
        .into_string()
    }
}

impl Block {
    fn markup(&self) -> Markup {
        match self {
            Self::Section(heading) => html! { h2 { (heading) } },
            Self::Paragraph(words) => html! { p { (words) } },
            Self::Code(text) => html! { pre { code { (text) } } },
            Self::Links(links) => html! {
                ul { @for (words, to) in links { li { a href=(to) { (words) } } } }
            },
            Self::Table { head, rows } => html! {
                div.wide {
                    table {
                        thead { tr { @for cell in head { th { (cell) } } } }
                        tbody {
                            @for row in rows {
                                tr { @for cell in row { td.number[is_number(cell)] { (cell) } } }
                            }
                        }
                    }
                }
            },
            Self::Figure {
                image,
                alt,
                caption,
            } => html! {
                figure {
                    img src=(image.source()) alt=(alt);
                    figcaption { (caption) }
                }
            },
        }
    }
}

fn is_number(cell: &str) -> bool {
    let mut chars = cell.trim().chars();
    let first = chars.next();
    first
        .is_some_and(|c| c.is_ascii_digit() || ((c == '-' || c == '−') && cell.chars().count() > 1))
        && chars.all(|c| c.is_ascii_digit() || ".,%+-−e ×".contains(c))
}

const STYLE: &str = "\
:root{--paper:#fff;--ink:#1f2633;--faint:#6b7482;--line:#e3e7ed;--soft:#f6f8fa;--link:#2f7fc1}\
@media(prefers-color-scheme:dark){:root{--paper:#11151c;--ink:#e8ecf2;--faint:#95a0b0;--line:#2b3341;--soft:#191f29;--link:#5aa9e6}}\
*{box-sizing:border-box}\
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.6 system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\
main{max-width:60rem;margin:0 auto;padding:3rem 1.25rem 5rem}\
h1{font-size:2.2rem;line-height:1.2;margin:0 0 .6rem;letter-spacing:-.01em}\
h2{font-size:1.35rem;margin:2.8rem 0 .6rem}\
p{margin:.6rem 0;max-width:44rem}\
.lead{font-size:1.2rem;color:var(--faint)}\
a{color:var(--link)}\
figure{margin:1.6rem 0}\
figure img{display:block;max-width:100%;height:auto;border:1px solid var(--line);border-radius:10px;background:#fff}\
figcaption{color:var(--faint);font-size:.92rem;margin-top:.5rem;max-width:44rem}\
.wide{overflow-x:auto}\
table{border-collapse:collapse;margin:1rem 0;font-size:.95rem}\
th,td{padding:.4rem .9rem .4rem 0;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}\
th{color:var(--faint);font-weight:600}\
.number{text-align:right;font-variant-numeric:tabular-nums}\
pre{background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;overflow-x:auto;font-size:.9rem}\
footer{margin-top:4rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--faint);font-size:.9rem}";
