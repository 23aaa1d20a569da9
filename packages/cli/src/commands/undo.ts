import { listSessions, stateDirectory } from "@haft/computer/internal";
import type { JsonValue, PastCall, ToolResult } from "@haft/contract";
import { portable, toVisibleText } from "@haft/core/internal";
import type { UndoEditArguments } from "@haft/tools";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openComputer, openWorkspace } from "../open-workspace.ts";
import { type CommonOptions, readCommonOptions } from "../options/common-options.ts";
import { exitCodeOf, printJson, printResult } from "../terminal/print-result.ts";
import { approvingHost } from "../terminal/terminal-host.ts";
import { UsageError } from "../usage-error.ts";

/** `haft undo` */
export async function undoChange(input: CommandInput, io: Io): Promise<number> {
  const [path] = input.positionals;
  const { to, call } = input.options;
  if (input.options.list === true) return list(path, readCommonOptions(input, io), io);
  if ([path, to, call].filter((given) => given !== undefined).length > 1) {
    throw new UsageError("Give one of PATH, --to and --call: --to and --call undo whole calls.");
  }
  const args = {
    ...(path !== undefined && { path }),
    ...(typeof to === "string" && { to }),
    ...(typeof call === "string" && { call }),
  };
  return callUndo(args, input, io);
}

/** `haft redo` */
export async function redoChange(input: CommandInput, io: Io): Promise<number> {
  return callUndo({ redo: true }, input, io);
}

async function callUndo(args: UndoEditArguments, input: CommandInput, io: Io): Promise<number> {
  const options = readCommonOptions(input, io);
  const result = await undoInSession({ arguments: args }, options, io);
  if (options.json) printJson(result, io);
  else printResult(result, io);
  if (result.type === "error" && input.options.session === undefined) pointToOthers(options, io);
  return exitCodeOf(result);
}

/** Calls `undo_edit` in the session that the options name. */
export async function undoInSession(
  call: { readonly id?: string; readonly arguments: UndoEditArguments },
  options: CommonOptions,
  io: Io,
): Promise<ToolResult> {
  // Only the portable dialect has the tool `undo_edit`.
  const workspace = await openWorkspace({ ...options, dialect: portable }, io);
  try {
    // A person asked for it, which is the approval. Rules that deny still apply.
    const session = workspace.openSession({ host: approvingHost });
    const request = { ...call, name: "undo_edit", arguments: call.arguments as JsonValue };
    return await session.call(request, { signal: io.signal });
  } finally {
    await workspace.close();
  }
}

// Every MCP client has a session of its own, so the change is often in another one.
function pointToOthers(options: CommonOptions, io: Io): void {
  const [root] = openComputer(options, io).roots;
  const other = listSessions(stateDirectory(io.environment)).find(
    ({ name, workspace }) => workspace === root && name !== options.session,
  );
  if (other === undefined) return;
  io.error(
    `haft: this was session ${options.session}. The last other one: --session ${toVisibleText(other.name)}. All of them: haft sessions\n`,
  );
}

async function list(path: string | undefined, options: CommonOptions, io: Io): Promise<number> {
  const computer = openComputer(options, io);
  const { journal } = computer.openSession(options.session);
  const at = path === undefined ? undefined : computer.identify(path);
  const calls = ((await journal.calls?.()) ?? []).filter(
    ({ isUndo, paths }) => !isUndo && (at === undefined || paths.includes(at)),
  );
  if (options.json) {
    printJson(calls.map(toJson), io);
    return 0;
  }
  if (calls.length === 0) io.out("Nothing to undo.\n");
  for (const call of calls) {
    const { id, at: time, tool, title, paths } = toJson(call);
    const [first = "", ...others] = paths;
    const what = others.length === 0 ? first : `${paths.length} paths`;
    const about = title.split("\n", 1)[0] ?? "";
    io.out(
      toVisibleText(
        `${id}  ${time}  ${tool}  ${what}${about === "" || about === first ? "" : `  ${about}`}\n`,
      ),
    );
  }
  return 0;
}

function toJson({ id, callId, at, tool = "", title = "", paths }: PastCall) {
  return { id, call_id: callId, at: new Date(at).toISOString(), tool, title, paths };
}
