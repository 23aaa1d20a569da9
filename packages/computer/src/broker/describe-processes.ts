import { readdirSync, readlinkSync } from "node:fs";
import type { LaunchReport } from "../sandbox/launch-plan.ts";
import { type ProcessEntry, readFile } from "./process-table.ts";

const maxCharacters = 200;

/** Describes the processes of a run, and the ports they listen on. */
export function describeProcesses(entries: readonly ProcessEntry[]): LaunchReport["left"] {
  const [first] = entries;
  if (first === undefined) return [];
  // All processes of a run share one network.
  const listening = readListeningSockets(first.pid);
  return entries
    .map(({ pid }) => ({
      pid: readInnerPid(pid),
      command: readCommand(pid),
      ports: listening.size === 0 ? [] : findPorts(pid, listening),
    }))
    .filter(({ command }) => !command.includes(ownPlace));
}

// Our own helpers inside a sandbox are not reported.
const ownPlace = " /run/haft/";

/** Whether a process waits for input from a terminal. */
export function waitsForTerminal(pid: number): boolean {
  const [call, descriptor] = readFile(`/proc/${pid}/syscall`).split(" ");
  if (call !== readCall || descriptor === undefined) return false;
  const target = readLink(`/proc/${pid}/fd/${Number(descriptor)}`);
  return /^\/dev\/(?:tty|pts\/|console)/u.test(target);
}

// The system call number of `read`.
const readCall = process.arch === "x64" ? "0" : "63";

// The process ID inside the process's own namespace.
function readInnerPid(pid: number): number {
  const numbers = /^NSpid:(.*)$/mu.exec(readFile(`/proc/${pid}/status`))?.[1]?.trim();
  return Number(numbers?.split(/\s+/u).at(-1) ?? pid);
}

function readCommand(pid: number): string {
  const words = readFile(`/proc/${pid}/cmdline`).split("\0");
  const command = Buffer.from(words.join(" ").trim(), "latin1").toString("utf8");
  if (command === "") return `[${readFile(`/proc/${pid}/comm`).trim()}]`;
  return command.length <= maxCharacters ? command : `${command.slice(0, maxCharacters - 1)}…`;
}

/** Listening ports by socket inode. */
function readListeningSockets(pid: number): Map<string, number> {
  const sockets = new Map<string, number>();
  for (const table of ["tcp", "tcp6"]) {
    for (const line of readFile(`/proc/${pid}/net/${table}`).split("\n").slice(1)) {
      const fields = line.trim().split(/\s+/u);
      const [, local, , state] = fields;
      const inode = fields[9];
      if (state !== listeningState || local === undefined || inode === undefined) continue;
      sockets.set(inode, Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16));
    }
  }
  return sockets;
}

const listeningState = "0A";

function findPorts(pid: number, listening: ReadonlyMap<string, number>): number[] {
  const ports = new Set<number>();
  for (const fd of listDescriptors(pid)) {
    const inode = /^socket:\[(\d+)\]$/u.exec(readLink(`/proc/${pid}/fd/${fd}`))?.[1];
    const port = inode === undefined ? undefined : listening.get(inode);
    if (port !== undefined) ports.add(port);
  }
  return [...ports].sort((a, b) => a - b);
}

function listDescriptors(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
