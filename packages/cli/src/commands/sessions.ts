import { listSessions, stateDirectory } from "@haft/computer";
import { type CallRecord, toVisibleText } from "@haft/core";
import type { Command, CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openComputer, openRecorder } from "../open-workspace.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { type CommonOptions, readCommonOptions } from "../options/common-options.ts";
import { findSession } from "../options/find-session.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

/** `haft sessions` */
export const sessions: Command = {
  help: `List, show or close sessions. A session belongs to a workspace and outlives the command.

Usage: haft sessions [list] [--all]     the sessions of this workspace, or of all
       haft sessions show NAME          the calls recorded in one, oldest first
       haft sessions close NAME         end it: its jobs end, its sidecar files go, its record
                                        stays

Examples:
  haft sessions
  haft sessions list --all --json
  haft sessions show default

${commonHelp}`,
  options: { ...commonOptions, all: { type: "boolean" } },
  run: async (input, io) => {
    const options = readCommonOptions(input, io);
    const [action = "list", name, extra] = input.positionals;
    if (extra !== undefined) throw new UsageError(`What is ${JSON.stringify(extra)}?`);
    switch (action) {
      case "list":
        return list(input, options, io);
      case "show":
        return show(name ?? options.session, options, io);
      case "close":
        return close(name ?? options.session, options, io);
      default:
        throw new UsageError(`sessions can list, show or close, not ${JSON.stringify(action)}.`);
    }
  },
};

interface ListedSession {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  readonly calls: number;
  readonly last_used: string;
}

async function list(input: CommandInput, options: CommonOptions, io: Io): Promise<number> {
  const recorder = await openRecorder(io);
  const recorded = new Map(recorder.sessions().map((entry) => [entry.session, entry]));
  await recorder.close();
  const { roots } = openComputer(options, io);
  const listed = listSessions(stateDirectory(io.environment))
    .filter(({ workspace }) => input.options.all === true || workspace === roots[0])
    .map(
      ({ id, name, workspace, modifiedMs }): ListedSession => ({
        id,
        name,
        workspace,
        calls: recorded.get(id)?.calls ?? 0,
        last_used: new Date(Math.max(modifiedMs, recorded.get(id)?.lastAt ?? 0)).toISOString(),
      }),
    );
  if (options.json) {
    printJson(listed, io);
    return 0;
  }
  if (listed.length === 0) {
    io.out("No sessions here yet. The first call makes one: haft call read path=README.md\n");
  }
  for (const { name, workspace, calls, last_used } of listed) {
    const count = calls === 1 ? "1 call" : `${calls} calls`;
    io.out(toVisibleText(`${name}  ${count}  last used ${last_used}  ${workspace}\n`));
  }
  return 0;
}

async function show(wanted: string, options: CommonOptions, io: Io): Promise<number> {
  const recorder = await openRecorder(io);
  const calls = [...recorder.list(findSession(wanted, options, io))];
  await recorder.close();
  if (options.json) {
    printJson(calls.map(toJson), io);
    return 0;
  }
  if (calls.length === 0) io.out(`Nothing is recorded in session ${wanted}.\n`);
  for (const call of calls) {
    const { startedAt, name, state, result } = call;
    const time = new Date(startedAt).toISOString();
    const line = `${time}  ${name}  ${state}  ${result.metadata.duration_ms} ms  ${clip(argumentsText(call))}`;
    io.out(`${toVisibleText(line)}\n`);
  }
  return 0;
}

async function close(wanted: string, options: CommonOptions, io: Io): Promise<number> {
  const id = findSession(wanted, options, io);
  const own = openComputer(options, io).openSession(id.slice(id.lastIndexOf("/") + 1));
  if (own.id !== id) throw new UsageError(`${wanted} is a session of another workspace: use -C.`);
  await own.close();
  if (options.json) printJson({ id, closed: true }, io);
  else io.out(`Closed ${own.name}.\n`);
  return 0;
}

function toJson(record: CallRecord): Record<string, unknown> {
  const { callId, name, tool, dialect, startedAt, state, result } = record;
  return {
    id: callId,
    name,
    tool,
    arguments: record.arguments,
    dialect,
    started_at: new Date(startedAt).toISOString(),
    state,
    result,
  };
}

function argumentsText(record: CallRecord): string {
  const args = record.arguments;
  return typeof args === "string" ? args : JSON.stringify(args);
}

function clip(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
