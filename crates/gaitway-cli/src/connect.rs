//! `gaitway connect`: from one moment of a clip to another.

use gaitway::synth::{ConnectBy, connect};
use serde_json::json;

use super::args::ConnectArgs;
use super::build::load_graph;
use super::make::{self, is_answer, synth_error};
use super::term::Term;
use super::{CliError, Outcome};

/// Runs the verb: exit code 1 when there is no way.
pub fn run(args: &ConnectArgs, term: &mut Term) -> Result<Outcome, CliError> {
    make::check_outputs(&args.make, &args.graph)?;
    let graph = load_graph(&args.graph)?;
    let from = make::moment(&graph, &args.from)?;
    let to = make::moment(&graph, &args.to)?;
    let by = ConnectBy::from_name(&args.by).unwrap_or_default();
    let walk = match connect(&graph, from, to, by) {
        Ok(walk) => walk,
        Err(error) if is_answer(&error) => {
            term.fail(&error.to_string());
            return Ok(Outcome::Failed);
        }
        Err(error) => return Err(synth_error(error)),
    };
    let motion = make::motion(&graph, &walk, &args.make, term)?;
    let extra = json!({ "from": from.name(&graph), "to": to.name(&graph), "by": args.by });
    make::write_motion(&graph, &motion, extra, &args.make, term)
}
