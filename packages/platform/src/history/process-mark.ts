import { readFileSync, readlinkSync } from "node:fs";

/**
 * A text that no other process has had since this machine started, or `undefined` where the system
 * does not tell. A number alone would not do: it is given again, in containers at every start.
 */
export function findProcessMark(): string | undefined {
  const place = findPlace();
  const started = findStart(process.pid);
  if (place === undefined || started === undefined) return undefined;
  return `${place} ${process.pid} ${started}`;
}

/** Whether the process with this mark runs; `undefined` if that can't be seen from here. */
export function isMarkAlive(mark: string): boolean | undefined {
  const [pid, started] = mark.split(" ").slice(-2);
  const place = findPlace();
  if (place === undefined || mark !== `${place} ${pid} ${started}`) return undefined;
  return findStart(Number(pid)) === started;
}

/** Where numbers of processes mean the same: a machine since its start, or a container on it. */
function findPlace(): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return undefined;
  }
}

/** When a process began, in a unit of the system's. */
function findStart(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name comes second, in parentheses, and may itself hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const state = fields[0];
    // A process that ended but was not reaped is still listed.
    return state === "Z" || state === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
