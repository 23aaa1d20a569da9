import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { readLines } from "./read-lines.ts";

/** A reference that a push changes; a hash of zeros only stands for none. */
export interface ReferenceUpdate {
  readonly before: string;
  readonly after: string;
  readonly name: string;
}

/** What git asks us in the course of a push. */
export interface PushAttendant {
  /** Before anything is changed: what is wrong with the push, if anything is. */
  check(push: {
    readonly updates: readonly ReferenceUpdate[];
    /** The name of the directory that holds what came with it, `undefined` if nothing did. */
    readonly quarantine: string | undefined;
  }): Promise<string | undefined>;
  /** After the references were changed. */
  finish(updates: readonly ReferenceUpdate[]): Promise<void>;
}

const hookNames = ["pre-receive", "post-receive"] as const;

// Git asks a program before it takes a push, while what came is kept apart. This one asks us: on the
// descriptor that whoever started git has left open. Without an answer the push is refused.
const script = `#!/bin/sh
{ printf '%s\\n' "\${0##*/}" "\${GIT_QUARANTINE_PATH##*/}"; cat; echo; } >&3 || exit 1
IFS= read -r answer <&3 || { echo "The server went away." >&2; exit 1; }
[ "$answer" = ok ] && exit 0
printf '%s\\n' "$answer" >&2
exit 1
`;

/** Writes the two hooks that a push runs, and no others, and makes sure that they can run. */
export async function writePushHooks(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of hookNames) {
    const draft = join(directory, `${name}-${randomBytes(6).toString("hex")}`);
    await writeFile(draft, script, { mode: 0o700 });
    await rename(draft, join(directory, name));
  }
  await probe(join(directory, hookNames[0]));
  return directory;
}

/** Answers what git's hooks ask on the channel until it is closed. */
export async function attendPush(channel: Duplex, attendant: PushAttendant): Promise<void> {
  let lines: string[] = [];
  for await (const line of readLines(channel)) {
    if (line !== "") {
      lines.push(line);
      continue;
    }
    // The second line is empty where nothing came with the push: the message does not end there.
    if (lines.length === 1) {
      lines.push("");
      continue;
    }
    const [hook, quarantine, ...updates] = lines;
    lines = [];
    const question = {
      updates: updates.map(toUpdate),
      quarantine: quarantine === "" ? undefined : quarantine,
    };
    if (hook === "pre-receive") {
      const complaint = await attendant.check(question);
      channel.write(complaint === undefined ? "ok\n" : `${complaint.replaceAll("\n", " ")}\n`);
    } else {
      await attendant.finish(question.updates);
      channel.write("ok\n");
    }
  }
}

function toUpdate(line: string): ReferenceUpdate {
  const [before = "", after = "", ...name] = line.split(" ");
  return { before, after, name: name.join(" ") };
}

/** Where programs can't be run, git would leave the checks out without a word. */
async function probe(hook: string): Promise<void> {
  const child = spawn(hook, [], {
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  const channel = child.stdio[3] as Duplex | undefined;
  channel?.on("error", () => {});
  let asked = false;
  if (channel !== undefined) {
    void attendPush(channel, {
      check: async () => {
        asked = true;
        return undefined;
      },
      finish: async () => {},
    }).catch(() => {});
  }
  if ((await ended) !== 0 || !asked) {
    throw new Error(
      `Programs can't be run from ${hook}, so pushes could not be checked. Keep the repositories on a file system that is not mounted with "noexec".`,
    );
  }
}
