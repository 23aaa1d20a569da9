import { readdirSync, readFileSync } from "node:fs";

/** A process as the system lists it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Start time, in ticks since boot. */
  readonly started: number;
  /** Processor time of it and of its ended children, in ticks. */
  readonly cpuTicks: number;
}

/** Returns all running processes; none where there is no `/proc`. */
export function readProcessTable(): ProcessEntry[] {
  return listNames()
    .filter((name) => /^\d+$/u.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((entry) => entry !== undefined);
}

/** Returns one process, unless it has ended. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const fields = readFields(pid);
  const field = (number: number): number => Number(fields[number - 3]);
  // A zombie: ended, but not reaped yet.
  if (fields.length < 20 || fields[0] === "Z" || fields[0] === "X") return undefined;
  return {
    pid,
    parent: field(4),
    group: field(5),
    session: field(6),
    started: field(22),
    cpuTicks: field(14) + field(15) + field(16) + field(17),
  };
}

/** Start time of a process in ticks, even of a zombie. */
export function readStart(pid: number): number | undefined {
  const fields = readFields(pid);
  return fields.length < 20 ? undefined : Number(fields[22 - 3]);
}

// From the third field on: the second is a name that may contain spaces and brackets.
function readFields(pid: number): string[] {
  const line = readFile(`/proc/${pid}/stat`);
  return line.slice(line.lastIndexOf(")") + 2).split(" ");
}

/** Reads a file about a process; empty if it can't be read. */
export function readFile(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function listNames(): string[] {
  try {
    return readdirSync("/proc");
  } catch {
    return [];
  }
}
