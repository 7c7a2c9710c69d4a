//! The command line `gaitway`: arguments in, exit code out: 0 done, 1 a bar exceeded or nothing found, 2 an error.

mod args;
mod bench;
mod build;
mod calibrate;
mod clean;
mod complete;
mod connect;
mod convert;
mod demo;
mod distance;
mod edit;
mod enrich;
mod error;
mod eval;
mod files;
mod fold;
mod info;
mod inspect;
mod interrupt;
mod load;
mod make;
mod many;
mod metric;
mod onto;
mod parse;
mod path;
mod quality;
mod render;
mod retarget;
mod spikes;
mod studio;
mod term;
mod walk;

use std::process::ExitCode;

use clap::CommandFactory;

use args::{Cli, Verb};
use error::{CliError, Outcome};
use term::Term;

fn main() -> ExitCode {
    let cli = match parse::parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    // The studio has a way of its own to be stopped.
    if !matches!(cli.verb, Verb::Studio(_)) {
        interrupt::listen();
    }
    let mut term = Term::new(cli.quiet);
    if let Some(threads) = cli.threads {
        // Fails only when a pool exists already, and none does this early.
        let _ = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global();
    }
    let result = match &cli.verb {
        Verb::Info(args) => info::run(args, &mut term),
        Verb::Calibrate(args) => calibrate::run(args, &mut term),
        Verb::Convert(args) => convert::run(args, &mut term),
        Verb::Clean(args) => clean::run(args, &mut term),
        Verb::Retarget(args) => retarget::run(args, &mut term),
        Verb::Edit(args) => edit::run(args, &mut term),
        Verb::Quality(args) => quality::run(args, &mut term),
        Verb::Render(args) => render::run(args, &mut term),
        Verb::Demo(args) => demo::run(args, &mut term),
        Verb::Distance(args) => distance::run(args, &mut term),
        Verb::Build(args) => build::run(args, &mut term),
        Verb::Inspect(args) => inspect::run(args, &mut term),
        Verb::Enrich(args) => enrich::run(args, &mut term),
        Verb::Eval(args) => eval::run(args, &mut term),
        Verb::Walk(args) => walk::run(args, &mut term),
        Verb::Connect(args) => connect::run(args, &mut term),
        Verb::Path(args) => path::run(args, &mut term),
        Verb::Bench(args) => bench::run(args, &mut term),
        Verb::Studio(args) => studio::run(args, &mut term),
        Verb::Completions(args) => complete::completions(args, &mut Cli::command(), &mut term),
        Verb::Man(args) => complete::man(args, Cli::command(), &mut term),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        // Whoever reads us has seen enough (`gaitway info … | head`): that is success.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            term.error(&error);
            ExitCode::from(2)
        }
    }
}
