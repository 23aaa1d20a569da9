import type { ThreadSummary } from "@haft/agent/threads";
import { listSessions, stateDirectory } from "@haft/computer/internal";
import { toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openRecorder } from "../../open-recorder.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { withRecords } from "./open-records.ts";

interface ListedSession {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  readonly calls: number;
  readonly last_used: string;
  readonly title?: string | undefined;
  readonly agent?: string | undefined;
  /** The session whose agent started this one. */
  readonly parent?: string | undefined;
  readonly forked_from?: string | undefined;
}

/** `haft sessions list` */
export async function listAll(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const [root] = openComputer(options, io).roots;
  const sessions = (await gather(options, io)).filter(
    ({ workspace }) => input.options.all === true || workspace === root,
  );
  if (options.json) {
    printJson(sessions, io);
    return 0;
  }
  if (sessions.length === 0) {
    io.out("No sessions yet. The first call creates one: haft call read path=README.md\n");
  }
  printTree(sessions, io, input.options.children === true);
  return 0;
}

async function gather(options: CommonOptions, io: Io): Promise<ListedSession[]> {
  const recorder = await openRecorder(io);
  const recorded = new Map(recorder.sessions().map((entry) => [entry.session, entry]));
  await recorder.close();
  const threads = await withRecords(options, io, (records) =>
    records.threads.list({ opaque: true }),
  );
  const byId = new Map(threads.map((thread) => [thread.id, thread]));
  const kept = listSessions(stateDirectory(io.environment));
  const used = new Map(kept.map(({ id, modifiedMs }) => [id, modifiedMs]));
  const silent = kept.filter(({ id }) => !byId.has(id));
  return [...threads.filter(({ isOpaque }) => isOpaque !== true), ...silent]
    .map((session) => {
      const { id, name, workspace } = session;
      const thread: ThreadSummary | undefined = byId.get(id);
      const times = [used.get(id), recorded.get(id)?.lastAt, thread?.updatedAt];
      return {
        id,
        name,
        workspace,
        calls: recorded.get(id)?.calls ?? thread?.calls ?? 0,
        last_used: new Date(Math.max(...times.map((time) => time ?? 0))).toISOString(),
        title: thread?.title,
        agent: thread?.agent,
        parent: thread?.forkedFrom === undefined ? thread?.parent : undefined,
        forked_from: thread?.forkedFrom,
      };
    })
    .sort((a, b) => compare(b.last_used, a.last_used) || compare(a.id, b.id));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function printTree(sessions: readonly ListedSession[], io: Io, showsChildren: boolean): void {
  const ids = new Set(sessions.map(({ id }) => id));
  const children = Map.groupBy(sessions, ({ parent }) =>
    parent !== undefined && ids.has(parent) ? parent : undefined,
  );
  const print = (parent: string | undefined, depth: number): void => {
    for (const session of children.get(parent) ?? []) {
      const below = children.get(session.id)?.length ?? 0;
      const hidden = showsChildren || below === 0 ? "" : `  +${below} with --children`;
      io.out(toVisibleText(`${"  ".repeat(depth)}${describe(session)}${hidden}\n`));
      if (showsChildren) print(session.id, depth + 1);
    }
  };
  print(undefined, 0);
}

function describe({ name, calls, last_used, workspace, title, agent }: ListedSession): string {
  const count = calls === 1 ? "1 call" : `${calls} calls`;
  const about = title === undefined ? "" : `  ${agent ?? "agent"}: ${title}`;
  return `${name}  ${count}  last used ${last_used}  ${workspace}${about}`;
}
