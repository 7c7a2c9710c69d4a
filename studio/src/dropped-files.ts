/** Files of a drop, those inside folders too. */
import { looksLikeMotion } from "./api/upload";

/** A dropped disk must not stall the page. */
const MOST_FILES = 1000;

const folders = new WeakMap<File, string>();

/** The folder that files were dropped with, where there was one. */
export function folderOf(files: readonly File[]): string | null {
  for (const file of files) {
    const folder = folders.get(file);
    if (folder) return folder;
  }
  return null;
}

/** Single files are taken as they are (the server says what is wrong with them); in folders only motion is looked for. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // Entries must be asked for before the first wait: the browser empties the transfer when the event is over.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry?.isDirectory)) return plain;
  const found: File[] = [];
  for (const entry of entries) {
    const before = found.length;
    if (entry) await collect(entry, found, false);
    if (entry?.isDirectory) for (const file of found.slice(before)) folders.set(file, entry.name);
  }
  return found;
}

async function collect(entry: FileSystemEntry, found: File[], inFolder: boolean): Promise<void> {
  if (found.length >= MOST_FILES) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    if (!inFolder || looksLikeMotion(file)) found.push(file);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader gives about a hundred entries at a time, and an empty list at the end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return;
    for (const child of part) await collect(child, found, true);
  }
}
