//! Shell completions and manual pages, made from the same definitions as `--help`.

use clap::Command;
use gaitway::io::output::AtomicFolder;

use super::args::{CompletionsArgs, ManArgs};
use super::render::write_bytes;
use super::term::Term;
use super::{CliError, Outcome};

/// Writes completions for a shell to standard output.
pub fn completions(
    args: &CompletionsArgs,
    command: &mut Command,
    term: &mut Term,
) -> Result<Outcome, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "gaitway", &mut script);
    term.out(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}

/// Writes the manual: one page to standard output, or a page per verb into a folder.
pub fn man(args: &ManArgs, command: Command, term: &mut Term) -> Result<Outcome, CliError> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        term.out(&String::from_utf8_lossy(&page))?;
        return Ok(Outcome::Done);
    };
    let whole = AtomicFolder::new(folder)?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let verbs = command.get_subcommands().filter(|c| !c.is_hide_set());
    for verb in verbs.chain([&command]) {
        let man = clap_mangen::Man::new(verb.clone());
        let mut page = Vec::new();
        man.render(&mut page)?;
        write_bytes(&whole.file(man.get_filename().as_ref())?, &page)?;
    }
    whole.finish()?;
    term.say(&format!("wrote manual pages to {}", folder.display()));
    Ok(Outcome::Done)
}
