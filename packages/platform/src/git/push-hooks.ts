import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { readLines } from "./read-lines.ts";

/** A reference that a push changes. A hash of zeros stands for none. */
export interface ReferenceUpdate {
  readonly before: string;
  readonly after: string;
  readonly name: string;
}

/** Answers git's questions during a push. */
export interface PushAttendant {
  /**
   * Called before anything is changed. Returns what is wrong with the push; `undefined` to accept
   * it.
   */
  check(push: {
    readonly updates: readonly ReferenceUpdate[];
    /** The name of the quarantine directory with the new objects; `undefined` if there are none. */
    readonly quarantine: string | undefined;
  }): Promise<string | undefined>;
  /** Called after the references were changed. */
  finish(updates: readonly ReferenceUpdate[]): Promise<void>;
}

const hookNames = ["pre-receive", "post-receive"] as const;

// Git runs a hook before it accepts a push, while the new objects are in quarantine. This hook asks
// the server, on the descriptor that git inherited. Without an answer the push is refused.
const script = `#!/bin/sh
{ printf '%s\\n' "\${0##*/}" "\${GIT_QUARANTINE_PATH##*/}"; cat; echo; } >&3 || exit 1
IFS= read -r answer <&3 || { echo "The server went away." >&2; exit 1; }
[ "$answer" = ok ] && exit 0
printf '%s\\n' "$answer" >&2
exit 1
`;

/** Writes the two hooks of a push and checks that they can run. */
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

/** Answers git's hooks on the channel until it is closed. */
export async function attendPush(channel: Duplex, attendant: PushAttendant): Promise<void> {
  let lines: string[] = [];
  for await (const line of readLines(channel)) {
    if (line !== "") {
      lines.push(line);
      continue;
    }
    // The second line is empty if the push has no objects. It does not end the message.
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

/** If hooks can't be executed, git would silently skip the checks. */
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
      `${hook} can't be executed, so pushes could not be checked. Keep the repositories on a file system that is not mounted with "noexec".`,
    );
  }
}
