import { readdirSync, readlinkSync } from "node:fs";
import { type ProcessEntry, readFile, readProcessTable, readStart } from "./process-table.ts";

/** The variable that marks everything a run starts. */
export const markerName = "HAFT_RUN";

/** How the processes of a run are recognized. */
export interface RunTraces {
  /** The launched process, which leads its own session; if known. */
  readonly pid: number | undefined;
  readonly marker: string;
  /** Its start time: older processes can't belong to it. Default: the start of this process. */
  readonly startedAt: number | undefined;
  /** Its output pipes: a process that holds them open belongs to the run. */
  readonly pipes: readonly string[];
}

/**
 * Finds all processes of a run: those in its group and session, those with its marker, those that
 * hold its output, and all descendants of these.
 */
export function findMembers(run: RunTraces): ProcessEntry[] {
  const startedAt = run.startedAt ?? readStart(process.pid) ?? 0;
  // The reader of the output holds it too.
  const own = [process.pid, process.ppid];
  const table = readProcessTable().filter(
    ({ pid, started }) => started >= startedAt && !own.includes(pid),
  );
  const members = new Map<number, ProcessEntry>();
  for (const entry of table) if (isMember(entry, run)) members.set(entry.pid, entry);
  return addDescendants(members, table);
}

/** Returns every descendant of a process. */
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

// A process that cleared its environment has usually kept its output.
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
