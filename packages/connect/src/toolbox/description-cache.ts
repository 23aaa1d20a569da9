import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolDescription } from "./description/tool-description.ts";
import type { ToolboxScript } from "./toolbox-script.ts";

/** What scripts said of themselves, kept on disk for as long as they stay what they are. */
export interface DescriptionCache {
  /** What is known of a script, if it is still the same. */
  read(script: ToolboxScript): ToolDescription | string | undefined;
  /** Keeps what it said, or what is wrong with it, which is forgotten after a while. */
  keep(script: ToolboxScript, described: ToolDescription | string): void;
  forget(script: ToolboxScript): void;
}

// A script that hangs must not cost its time with every command; one that was mended elsewhere,
// such as by a program that it needs, must not be left out for long.
const faultMs = 10 * 60_000;
const version = 1;
// Of larger programs the times tell enough.
const mostHashed = 4 * 1024 * 1024;

interface Entry {
  readonly version: number;
  readonly state: string;
  readonly described: ToolDescription | string;
  readonly at: number;
}

/** Opens what is kept in a directory, which need not exist. */
export function openDescriptionCache(directory: string): DescriptionCache {
  const locate = ({ path }: ToolboxScript): string =>
    join(directory, `${hash(path).slice(0, 32)}.json`);
  return {
    read: (script) => {
      try {
        const entry = JSON.parse(readFileSync(locate(script), "utf8")) as Entry;
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
        // It is asked again then.
        rmSync(temporary, { force: true });
      }
    },
    forget: (script) => rmSync(locate(script), { force: true }),
  };
}

function describeState({ path, file }: ToolboxScript): string {
  const { size, mtimeMs, ctimeMs, ino, dev } = statSync(file);
  const content = size > mostHashed ? "" : hash(readFileSync(file));
  return [path, file, size, mtimeMs, ctimeMs, ino, dev, content].join("\0");
}

function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
