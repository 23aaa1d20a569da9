import { listSessions, stateDirectory } from "@haft/computer/internal";
import { toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openRecorder } from "../../open-recorder.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { joinSessions, type ListedSession } from "./join-sessions.ts";
import { withRecords } from "./open-records.ts";

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
  return joinSessions({ threads, recorded, kept: listSessions(stateDirectory(io.environment)) });
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
