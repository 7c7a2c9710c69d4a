//! From words to arguments: numbers may begin with a minus sign, and a bad value is told as all errors are, in two lines.

use std::any::TypeId;
use std::error::Error as _;
use std::ffi::OsString;
use std::io::Write as _;
use std::num::ParseIntError;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, Command, CommandFactory, FromArgMatches};
use gaitway::core::text::{shown, shown_lines};
use gaitway::io::Unit;

use super::CliError;
use super::args::{Cli, EndArg, SecondsRange};
use super::term::Term;

/// The arguments of this process, or how to end: help and versions are printed, mistakes told.
pub fn parse() -> Result<Cli, ExitCode> {
    let result = numbers_may_be_negative(Cli::command())
        .try_get_matches()
        .and_then(|matches| Cli::from_arg_matches(&matches));
    result.map_err(|error| match in_two_lines(&error) {
        Some(told) => {
            Term::new(false).error(&told);
            ExitCode::from(2)
        }
        None if error.use_stderr() => {
            let told = error.to_string();
            // Arguments may be names of files; with one that has a line end in it, all is told in one line.
            let odd = |a: OsString| shown(&a.to_string_lossy()) != a.to_string_lossy();
            if std::env::args_os().any(odd) {
                let told = told.trim().trim_start_matches("error: ");
                let help = "`gaitway --help` lists verbs, `gaitway VERB --help` what each takes";
                Term::new(false).error(&CliError::new(told).with_hint(help));
            } else {
                let _ = write!(std::io::stderr(), "{}", shown_lines(&told));
            }
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
        None => {
            // Nothing sensible is left to do when not even this can be printed.
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
    })
}

/// Lets `-3`, `-inf` and `-1..2` be values where a number belongs, so that our own words about them are heard.
fn numbers_may_be_negative(command: Command) -> Command {
    let numeric = [
        TypeId::of::<f64>(),
        TypeId::of::<usize>(),
        TypeId::of::<u64>(),
        TypeId::of::<u32>(),
        TypeId::of::<u16>(),
        TypeId::of::<SecondsRange>(),
        TypeId::of::<EndArg>(),
        TypeId::of::<Unit>(),
    ];
    command
        .mut_args(|arg| {
            let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
            let kind = arg.get_value_parser().type_id();
            if takes_value && !arg.is_positional() && numeric.iter().any(|t| kind == *t) {
                arg.allow_hyphen_values(true)
            } else {
                arg
            }
        })
        .mut_subcommands(numbers_may_be_negative)
}

/// A bad value as we tell it: the flag, what was expected, what was found; then where flags are listed.
fn in_two_lines(error: &clap::Error) -> Option<CliError> {
    if error.kind() != ErrorKind::ValueValidation {
        return None;
    }
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let flag = text(ContextKind::InvalidArg)?;
    let found = text(ContextKind::InvalidValue)?;
    let source = error.source()?;
    let what = if source.is::<ParseIntError>() {
        format!("expected a whole number of 0 or more, found `{found}`")
    } else {
        let words = source.to_string();
        // Clap's own ranges say what they expect and not what they found.
        if words.contains(found) {
            words
        } else {
            format!("{words}, found `{found}`")
        }
    };
    let flag = flag.split(' ').next().unwrap_or(flag);
    let verb = std::env::args().nth(1).filter(|v| !v.starts_with('-'));
    let help = match verb {
        Some(verb) => format!("`gaitway {verb} --help` says what each flag takes"),
        None => "`gaitway --help` says what each flag takes".to_owned(),
    };
    Some(CliError::new(format!("{flag}: {what}")).with_hint(help))
}
