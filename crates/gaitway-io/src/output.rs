//! Outputs are whole or not there at all: written beside their place under a temporary name, then renamed.

use std::io::{BufWriter, Write};
use std::path::Path;

use crate::WriteError;

/// Writes a file through `fill` and gives back what it returns. When anything fails, what stood there before still stands, and nothing
/// else is left behind.
///
/// # Errors
/// What `fill` returns, or what the system says.
pub fn write_whole<T>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<T, WriteError>,
) -> Result<T, WriteError> {
    let failed = |source: std::io::Error| WriteError::Io {
        file: path.display().to_string(),
        source,
    };
    let folder = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    let temporary = tempfile::Builder::new()
        .prefix(".gaitway-")
        .suffix(".part")
        .tempfile_in(folder)
        .map_err(|e| no_place(path, folder, e))?;
    let mut writer = BufWriter::with_capacity(1 << 16, temporary);
    let told = fill(&mut writer)?;
    writer.flush().map_err(failed)?;
    let temporary = writer.into_inner().map_err(|e| failed(e.into_error()))?;
    relax_permissions(temporary.as_file()).map_err(failed)?;
    temporary.as_file().sync_all().map_err(failed)?;
    temporary.persist(path).map_err(|e| failed(e.error))?;
    Ok(told)
}

/// Why nothing can be written there, without the name of a file that nobody asked for.
fn no_place(path: &Path, folder: &Path, error: std::io::Error) -> WriteError {
    let file = path.display().to_string();
    if !folder.is_dir() {
        let message = format!("the folder {} does not exist", folder.display());
        return WriteError::CannotHold {
            file,
            message,
            hint: Some("make it first".to_owned()),
        };
    }
    WriteError::Io {
        file,
        source: std::io::Error::from(error.kind()),
    }
}

/// Temporary files are private; outputs are ordinary files.
#[cfg(unix)]
fn relax_permissions(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn relax_permissions(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.txt");
        std::fs::write(&path, "old").expect("written");
        let result: Result<(), _> = write_whole(&path, |sink| {
            let io = |source| WriteError::Io {
                file: "out.txt".into(),
                source,
            };
            sink.write_all(b"half").map_err(io)?;
            Err(io(std::io::Error::other("no more room")))
        });
        assert!(result.is_err());
        assert_eq!(std::fs::read_to_string(&path).expect("still there"), "old");
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("a folder").count(),
            1
        );
        write_whole(&path, |sink| {
            sink.write_all(b"new").map_err(|source| WriteError::Io {
                file: String::new(),
                source,
            })
        })
        .expect("written");
        assert_eq!(std::fs::read_to_string(&path).expect("there"), "new");
    }
}
