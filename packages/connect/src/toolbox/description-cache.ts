import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readSmallFile, readUntrustedFile } from "@haft/computer/internal";
import type { ToolDescription } from "./description/tool-description.ts";
import type { ToolboxScript } from "./toolbox-script.ts";

/** Descriptions of scripts on disk. An entry is valid until its script changes. */
export interface DescriptionCache {
  /** Returns the description or fault of an unchanged script. */
  read(script: ToolboxScript): ToolDescription | string | undefined;
  /** Stores a description, or a fault, which expires after ten minutes. */
  keep(script: ToolboxScript, described: ToolDescription | string): void;
  forget(script: ToolboxScript): void;
}

// A hanging script must not delay every command, but one that was fixed from outside, such as by
// installing a program that it needs, must soon be tried again.
const faultMs = 10 * 60_000;
const version = 1;
// For larger programs the modification times are enough.
const maxHashedBytes = 4 * 1024 * 1024;

interface Entry {
  readonly version: number;
  readonly state: string;
  readonly described: ToolDescription | string;
  readonly at: number;
}

/** Opens the cache in a directory, which need not exist. */
export function openDescriptionCache(directory: string): DescriptionCache {
  const locate = ({ path }: ToolboxScript): string =>
    join(directory, `${hash(path).slice(0, 32)}.json`);
  return {
    read: (script) => {
      try {
        const entry = JSON.parse(readSmallFile(locate(script)) ?? "") as Entry;
        if (entry.version !== version || entry.state !== describeState(script)) return undefined;
        const isOver = typeof entry.described === "string" && Date.now() - entry.at > faultMs;
        return isOver ? undefined : entry.described;
      } catch {
        return undefined;
      }
    },
    keep: (script, described) => {
      const path = locate(script);
      const temporary = `${path}.${randomBytes(6).toString("hex")}`;
      try {
        const entry: Entry = { version, state: describeState(script), described, at: Date.now() };
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        writeFileSync(temporary, JSON.stringify(entry), { mode: 0o600 });
        renameSync(temporary, path);
      } catch {
        // Without a cache entry the script is asked again.
        rmSync(temporary, { force: true });
      }
    },
    forget: (script) => rmSync(locate(script), { force: true }),
  };
}

function describeState({ path, file }: ToolboxScript): string {
  const options = { within: dirname(file), maxBytes: maxHashedBytes, takesHead: true };
  const found = readUntrustedFile(file, options);
  if (found.bytes === undefined) throw new Error(`${file} ${found.fault}.`);
  const { size, mtimeMs, ctimeMs, ino, dev } = found.stats;
  const content = size > maxHashedBytes ? "" : hash(found.bytes);
  return [path, file, size, mtimeMs, ctimeMs, ino, dev, content].join("\0");
}

function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
