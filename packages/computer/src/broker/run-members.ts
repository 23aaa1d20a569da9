import { readdirSync, readlinkSync } from "node:fs";
import { type ProcessEntry, readFile, readProcessTable, readStart } from "./process-table.ts";

/** The variable that marks whatever a run starts. */
export const markerName = "HAFT_RUN";

/** How the processes of a run are known. */
export interface RunTraces {
  /** The process that was launched, which leads a session of its own; if it is known. */
  readonly pid: number | undefined;
  readonly marker: string;
  /** When it started: older processes are none of it. When this process did, if not known. */
  readonly startedAt: number | undefined;
  /** Where its output goes: who holds that open is one of its processes. */
  readonly pipes: readonly string[];
}

/**
 * The processes of a run, however far they went: those in its group and session, those that carry
 * its marker, those that hold its output, and what any of these started.
 */
export function findMembers(run: RunTraces): ProcessEntry[] {
  const startedAt = run.startedAt ?? readStart(process.pid) ?? 0;
  // Who reads the output holds it too.
  const own = [process.pid, process.ppid];
  const table = readProcessTable().filter(
    ({ pid, started }) => started >= startedAt && !own.includes(pid),
  );
  const members = new Map<number, ProcessEntry>();
  for (const entry of table) if (isMember(entry, run)) members.set(entry.pid, entry);
  return addDescendants(members, table);
}

/** Every process below one, which is not among them. */
export function findDescendants(pid: number): ProcessEntry[] {
  const table = readProcessTable();
  const members = new Map<number, ProcessEntry>();
  for (const entry of table) if (entry.parent === pid) members.set(entry.pid, entry);
  return addDescendants(members, table);
}

function isMember(entry: ProcessEntry, run: RunTraces): boolean {
  if (entry.pid === run.pid || entry.group === run.pid || entry.session === run.pid) return true;
  const environment = `\0${readFile(`/proc/${entry.pid}/environ`)}`;
  return environment.includes(`\0${markerName}=${run.marker}\0`) || holds(entry.pid, run.pipes);
}

// A process that cleared its environment has most often kept its output.
function holds(pid: number, pipes: readonly string[]): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const target = readlinkSync(`/proc/${pid}/fd/${fd}`).replace(/ \(deleted\)$/u, "");
      return pipes.includes(target);
    });
  } catch {
    return false;
  }
}

function addDescendants(
  members: Map<number, ProcessEntry>,
  table: readonly ProcessEntry[],
): ProcessEntry[] {
  let known = -1;
  while (known !== members.size) {
    known = members.size;
    for (const entry of table) if (members.has(entry.parent)) members.set(entry.pid, entry);
  }
  return [...members.values()];
}
