//! The API over a real socket: a server on a port of its own in a fresh folder, asked by a plain HTTP client.

mod characters;
mod client;
mod clips;
mod cuts;
mod edits;
mod enrich;
mod graph;
mod guard;
mod hostile;
mod jobs;
mod library;
mod make;
mod openapi;
mod projects;
mod recordings;
mod results;
mod retarget;
mod uploads;
