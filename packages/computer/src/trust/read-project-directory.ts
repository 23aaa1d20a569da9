import { hash } from "node:crypto";
import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { isInside } from "@haft/contract/internal";
import { readUntrustedFile } from "../disk/read-untrusted-file.ts";

/** The content of a directory, or a fault: the rest of a sentence that starts with its path. */
export type ProjectDirectory =
  | { readonly content: Buffer; readonly fault?: undefined }
  | { readonly fault: string; readonly content?: undefined };

const maxFiles = 1_000;
const maxBytes = 16 * 1024 * 1024;

/**
 * Reads a directory as one content that can be trusted: a line for each file with its name, size and
 * hash, an empty line, and the text of each. Names are JSON strings, so that no name or text can pass
 * for another file.
 */
export function readProjectDirectory(directory: string): ProjectDirectory {
  const files: ReadFile[] = [];
  let left = maxBytes;
  const waiting = [""];
  for (let at = 0; at < waiting.length; at++) {
    const folder = waiting[at] as string;
    const entries = list(join(directory, folder));
    if (entries === undefined)
      return { fault: `can't be listed: ${JSON.stringify(folder || ".")}` };
    for (const entry of entries) {
      if (files.length + waiting.length > maxFiles) {
        return {
          fault: `has more than ${maxFiles} files and directories, which is too many to trust`,
        };
      }
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        waiting.push(name);
        continue;
      }
      if (entry.isSymbolicLink()) {
        const target = findInside(join(directory, name), directory);
        if (target === undefined) {
          return {
            fault: `can't be trusted: ${JSON.stringify(name)} in it is a link to somewhere else`,
          };
        }
        files.push({ name, bytes: Buffer.from(`a link to ${target}`), kind: "link" });
        continue;
      }
      const read = readUntrustedFile(join(directory, name), { within: directory, maxBytes: left });
      if (read.fault !== undefined) {
        return { fault: `can't be trusted: ${JSON.stringify(name)} in it ${read.fault}` };
      }
      left -= read.bytes.length;
      const kind = (read.stats.mode & 0o111) === 0 ? "file" : "executable";
      files.push({ name, bytes: read.bytes, kind });
    }
  }
  return { content: Buffer.concat([Buffer.from(toIndex(files)), ...files.flatMap(toText)]) };
}

interface ReadFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly kind: "file" | "executable" | "link";
}

function list(directory: string): readonly Dirent[] | undefined {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return undefined;
  }
}

// A link's target is listed by itself, if it is in the directory.
function findInside(link: string, directory: string): string | undefined {
  try {
    const base = realpathSync.native(directory);
    const target = realpathSync.native(link);
    return isInside(base, target) ? JSON.stringify(relative(base, target)) : undefined;
  } catch {
    return undefined;
  }
}

function toIndex(files: readonly ReadFile[]): string {
  return files
    .map(({ name, bytes, kind }) => {
      const facts = `${kind}, ${bytes.length} bytes, SHA-256 ${hash("sha256", bytes)}`;
      return `${JSON.stringify(name)} (${facts})\n`;
    })
    .join("");
}

function toText({ name, bytes }: ReadFile): Buffer[] {
  const isBinary = bytes.includes(0);
  const heading = Buffer.from(`\n${JSON.stringify(name)}${isBinary ? " is binary" : ""}\n`);
  return isBinary ? [heading] : [heading, bytes];
}
