import { lstatSync, readlinkSync } from "node:fs";
import { readUntrustedFile } from "@haft/computer/internal";
import { type PastChange, type PathState, ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { toVisibleText } from "@haft/core/internal";
import { diffContents } from "@haft/tools/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openComputer } from "../open-workspace.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { printJson } from "../terminal/print-result.ts";
import { countDiff } from "./agent/show-diff.ts";

/** What a session did to one path. */
interface PathDiff {
  readonly path: string;
  readonly kind: "created" | "modified" | "deleted" | "mode";
  readonly diff?: string;
}

/** `haft diff` */
export async function showChanges(input: CommandInput, io: Io): Promise<number> {
  const options = readCommonOptions(input, io);
  const { since, stat } = input.options;
  const computer = openComputer(options, io);
  const { journal } = computer.openSession(options.session);
  const calls = ((await journal.calls?.()) ?? []).filter(({ isUndo }) => !isUndo);
  const last = calls.findLastIndex(({ id, callId }) => id === since || callId === since);
  if (since !== undefined && last < 0) {
    throw new ToolError(
      "not-found",
      `No call ${JSON.stringify(since)} has changes. \`haft undo --list\` lists the calls.`,
    );
  }
  const oldest = new Map<string, PastChange>();
  for (const call of since === undefined ? calls : calls.slice(0, last + 1)) {
    for (const change of call.changes()) oldest.set(change.path, change);
  }
  const found = [...oldest.values()]
    .flatMap((change) => compare(change, computer))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (options.json) printJson(found, io);
  else if (found.length === 0) io.out("No changes.\n");
  else
    for (const each of found) io.out(toVisibleText(stat === true ? summarize(each) : show(each)));
  return 0;
}

interface Workspace {
  readonly roots: readonly string[];
  isSecret(path: string): boolean;
}

const maxBytes = 4 * 1024 * 1024;

function compare({ path, before }: PastChange, workspace: Workspace): PathDiff[] {
  const now = lookAt(path, workspace);
  if (before.kind === "absent" && now.kind === "absent") return [];
  const kind =
    before.kind === "absent" ? "created" : now.kind === "absent" ? "deleted" : "modified";
  const [name = path] = workspace.roots
    .filter((root) => isInside(root, path))
    .map((root) => path.slice(root.length + 1));
  // A secret is not printed.
  const diff = workspace.isSecret(path) ? undefined : diffStates(name, before, now);
  if (diff !== "" || kind !== "modified") return [{ path, kind, ...(diff && { diff }) }];
  const isSameMode =
    !("mode" in before) ||
    !("mode" in now) ||
    before.mode === undefined ||
    before.mode === now.mode;
  return isSameMode ? [] : [{ path, kind: "mode" }];
}

function lookAt(path: string, { roots }: Workspace): PathState {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { kind: "absent" };
  if (stats.isSymbolicLink()) return { kind: "link", target: readlinkSync(path) };
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return { kind: "directory", mode };
  const within = roots.find((root) => isInside(root, path)) ?? path;
  const { bytes } = readUntrustedFile(path, { within, maxBytes });
  return { kind: "file", mode, content: bytes ?? new Uint8Array([0]) };
}

/** The diff of two states, empty if they are the same; `undefined` if it can't be shown. */
export function diffStates(name: string, before: PathState, now: PathState): string | undefined {
  if (before.kind === "directory" && now.kind === "directory") return "";
  try {
    const diff = diffContents(name, bytesOf(before), bytesOf(now));
    if (before.kind === "absent") return diff?.replace(/^--- .*/u, "--- /dev/null");
    return now.kind === "absent" ? diff?.replace(/^(--- .*\n)\+\+\+ .*/u, "$1+++ /dev/null") : diff;
  } catch (error) {
    if (ToolError.isInstance(error)) return undefined;
    throw error;
  }
}

function bytesOf(state: PathState): Uint8Array {
  if (state.kind === "file") return state.content;
  return Buffer.from(state.kind === "link" ? state.target : "");
}

function summarize({ path, kind, diff }: PathDiff): string {
  return `${kind.padEnd(8)}  ${diff === undefined ? "" : `${countDiff(diff)}  `}${path}\n`;
}

function show(each: PathDiff): string {
  return each.diff ?? `# ${each.kind}: ${each.path}\n`;
}
