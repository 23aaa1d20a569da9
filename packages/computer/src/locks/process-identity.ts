import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Identifies a process, so that others can tell whether it still runs. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in system ticks, because process IDs are reused. Empty if unknown. */
  readonly started: string;
  readonly host: string;
  /** The boot it belongs to. */
  readonly boot: string;
  /** Its PID namespace: each container has its own. */
  readonly space: string;
}

let own: ProcessIdentity | undefined;

/** The identity of this process. */
export function identifyProcess(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    started: findStart(process.pid) ?? "",
    host: hostname(),
    boot: ask(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    space: ask(() => readlinkSync("/proc/self/ns/pid")),
  };
  return own;
}

/** Whether a process still runs; `undefined` where that can't be told from here. */
export function isRunning(identity: ProcessIdentity): boolean | undefined {
  const self = identifyProcess();
  if (identity.host === self.host && identity.boot !== self.boot) return false;
  if (identity.boot !== self.boot || identity.space !== self.space) return undefined;
  if (self.started !== "") return findStart(identity.pid) === identity.started;
  try {
    process.kill(identity.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

// Field 22 of the line; the second field is a name that may contain spaces and brackets.
function findStart(pid: number): string | undefined {
  const line = ask(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const [state, ...fields] = line.slice(line.lastIndexOf(")") + 2).split(" ");
  // A zombie: ended, but not reaped yet.
  return state === "Z" || state === "X" ? undefined : fields[18];
}

function ask(question: () => string): string {
  try {
    return question();
  } catch {
    return "";
  }
}
