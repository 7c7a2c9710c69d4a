//! Arguments of `bench`.

use clap::Args;

use super::run_count;

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// One of the suite.
    #[arg(long, value_name = "NAME", value_parser = ["contacts", "candidates", "graph", "graph-ends", "path-beam", "path-bnb", "assemble", "clean"])]
    pub only: Option<String>,
    /// How often each is run; the median counts.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = run_count)]
    pub runs: usize,
    /// The table as JSON.
    #[arg(long)]
    pub json: bool,
}
