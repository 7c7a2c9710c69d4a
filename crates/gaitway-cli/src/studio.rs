//! `gaitway studio`: the page.

use std::net::SocketAddr;
use std::process::{Command, Stdio};

use gaitway_studio::config::FOLDER;
use gaitway_studio::host::project_for;
use gaitway_studio::{Config, Server, StudioError, asked_to_stop};

use super::args::StudioArgs;
use super::build::A_GRAPH_IS;
use super::term::Term;
use super::{CliError, Outcome, files};

/// Runs the verb until Ctrl-C or SIGTERM.
pub fn run(args: &StudioArgs, term: &mut Term) -> Result<Outcome, CliError> {
    for input in &args.inputs {
        let path = std::path::Path::new(input);
        if path.extension().is_some_and(|e| e == "gway") {
            files::must_be_file(path, A_GRAPH_IS)?;
        }
    }
    let home = args.projects.clone();
    let project = args.project.clone().unwrap_or_else(|| {
        let home = home.as_deref().unwrap_or(FOLDER.as_ref());
        project_for(&args.inputs, home)
    });
    // A project that lies in the projects folder itself has the others below it.
    let itself = project.file_name() == Some(FOLDER.as_ref()) && args.project.is_none();
    let config = Config {
        inputs: args.inputs.clone(),
        projects: home.or_else(|| itself.then(|| project.clone())),
        project,
        address: SocketAddr::new(args.bind, args.port),
        names: args.host.clone(),
        token: args.token.clone(),
        upload_bytes: (args.upload_limit as usize) << 20,
        ..Config::default()
    };
    let server = Server::open(config).map_err(error)?;
    let url = server.url();
    term.out(&format!("studio at {url}\n"))?;
    for note in server.notes() {
        term.say(&format!("warning: {note}"));
    }
    if !gaitway_studio::page::is_built() {
        term.say("this program was built without the page: run scripts/studio and build it again");
    }
    let visit = match &args.token {
        Some(token) => format!("{url}?token={token}"),
        None => url,
    };
    if args.token.is_some() {
        term.say(&format!("open {visit}"));
    }
    if args.open {
        open(&visit, term);
    }
    server.run(asked_to_stop()).map_err(error)?;
    term.say("stopped; everything is saved");
    Ok(Outcome::Done)
}

/// Asks the desktop to open an address. Where there is none, the address was printed.
fn open(url: &str, term: &mut Term) {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let started = Command::new(opener)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if started.is_err() {
        term.say(&format!("no browser could be started; open {url}"));
    }
}

fn error(error: StudioError) -> CliError {
    let hint = error.hint().map(str::to_owned);
    let out = CliError::new(error.to_string());
    hint.into_iter().fold(out, CliError::with_hint)
}
