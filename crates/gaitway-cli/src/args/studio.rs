//! The verb that serves a page.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use gaitway_studio::config::PORT;

/// Arguments of `studio`.
#[derive(Debug, Args)]
pub struct StudioArgs {
    /// A graph, or files, folders and @list.txt to build one from; nothing: the project that was open last, or the demo.
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<String>,
    /// Folder of the project; made where it is not there [default: one in the projects folder, called after INPUT].
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Folder in which the page makes, opens and copies projects [default: gaitway-studio, or the folder that holds --project].
    #[arg(long, value_name = "DIR")]
    pub projects: Option<PathBuf>,
    /// Port; 0 takes any that is free.
    #[arg(long, value_name = "N", default_value_t = PORT)]
    pub port: u16,
    /// Listen at another address than this machine's own; needs --token.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub bind: IpAddr,
    /// A name under which others reach this machine, beside its address.
    #[arg(long, value_name = "NAME")]
    pub host: Vec<String>,
    /// What visitors must bring: they open /?token=T once.
    #[arg(
        long,
        value_name = "T",
        env = "GAITWAY_STUDIO_TOKEN",
        hide_env_values = true
    )]
    pub token: Option<String>,
    /// Largest upload in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub upload_limit: u32,
    /// Open the page in the browser.
    #[arg(long)]
    pub open: bool,
}
