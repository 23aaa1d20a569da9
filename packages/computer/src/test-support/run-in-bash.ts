import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A directory in which bash runs programs that only write down how they were called. */
export interface BashFixture {
  /** Runs a script and returns how stand-ins were called. */
  run(script: string): readonly StandInCall[];
}

/** How a stand-in was called. */
export interface StandInCall {
  /** With its own name first. */
  readonly words: readonly string[];
  readonly cwd: string;
}

/** Makes stand-ins for programs; whatever else a script runs is the real thing. */
export function makeBashFixture(directory: string, standIns: readonly string[]): BashFixture {
  let runs = 0;
  const programs = join(directory, ".programs");
  mkdirSync(programs);
  for (const name of standIns) {
    const path = join(programs, name);
    // One write per call, so that calls at the same time don't mix. Not in bash, which runs what
    // some of these scripts have it run first.
    writeFileSync(
      path,
      `#!/bin/sh\nprintf '%s\\0' "$(pwd -P)" ${name} "$@" "$(printf '\\001')" >> "$CALLS"\n`,
    );
    chmodSync(path, 0o755);
  }
  return {
    run: (script) => {
      // What a script leaves running must not write where the next one does.
      const log = join(directory, `.calls-${runs++}`);
      // Ends with all that the script started.
      spawnSync("timeout", ["-s", "KILL", "15", "bash", "-c", script], {
        cwd: directory,
        env: { CALLS: log, PATH: `${programs}:/usr/local/bin:/usr/bin:/bin`, HOME: directory },
        stdio: ["ignore", "ignore", "ignore"],
      });
      return existsSync(log) ? readCalls(log) : [];
    },
  };
}

function readCalls(log: string): readonly StandInCall[] {
  return readFileSync(log, "utf8")
    .split("\0\u0001\0")
    .filter((call) => call !== "")
    .map((call) => {
      const [cwd = "", ...words] = call.split("\0");
      return { cwd, words };
    });
}
