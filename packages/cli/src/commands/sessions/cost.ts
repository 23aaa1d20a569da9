import type { Usage } from "@haft/agent";
import { createRecordedCalls, tokensInOutput } from "@haft/agent/internal/threads";
import type { Threads } from "@haft/agent/threads";
import { listSessions, stateDirectory } from "@haft/computer/internal";
import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import { toClientText } from "@haft/connect/internal";
import { toAiSdkOutput } from "@haft/connect/internal/ai-sdk";
import type { ToolResult } from "@haft/contract";
import type { CallRecord, Session } from "@haft/core";
import { tokensOfDefinition, toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openComputer, openWorkspace } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { addUsage } from "../agent/describe-usage.ts";
import { withRecords } from "./open-records.ts";

/** `haft sessions cost` */
export async function showCost(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const wanted = input.positionals[0] ?? options.session;
  const ledger = await withRecords(options, io, ({ threads, find }) => {
    const id = find(wanted);
    return readLedger(threads, id, findRoots(id, options, io));
  });
  const neverUsed = wanted.includes("/")
    ? undefined
    : await listNeverUsed(ledger.results, { ...options, session: wanted }, io);
  if (options.json) {
    printJson({ ...ledger, ...(neverUsed && { never_used: neverUsed }) }, io);
    return 0;
  }
  print(ledger, io);
  if (neverUsed !== undefined && neverUsed.length > 0) {
    const tokens = neverUsed.reduce((sum, tool) => sum + tool.definition_tokens, 0);
    const names = neverUsed.map(({ tool }) => tool).join(", ");
    io.out(`\nNever used (${tokens} tokens of definitions): ${toVisibleText(names)}\n`);
  }
  return 0;
}

/** What the results of one tool put before the model, as estimated. */
interface ToolLedger {
  readonly tool: string;
  calls: number;
  tokens: number;
  /** The number of results that were cut. */
  cut: number;
}

/** What the result of one call put before the model. */
interface CallCost {
  readonly call: string;
  readonly tool: string;
  /** Length of the text. */
  readonly characters: number;
  readonly tokens: number;
}

interface Ledger {
  readonly session: string;
  /** Each result counts once, although every later request contains it again. */
  readonly result_tokens: number;
  readonly results: readonly ToolLedger[];
  /** In the order in which the calls ended. Calls of programs are left out: no model saw their results. */
  readonly calls: readonly CallCost[];
  /** The calls whose results were cut, with the file that holds the whole. */
  readonly cut: readonly { readonly call: string; readonly tool: string; readonly file?: string }[];
  /** What providers reported for the requests of the session's agent. */
  readonly usage?: Usage | undefined;
}

function readLedger(threads: Threads, session: string, roots: readonly string[]): Ledger {
  const byTool = new Map<string, ToolLedger>();
  const calls: CallCost[] = [];
  const cut: Ledger["cut"][number][] = [];
  const recorded = createRecordedCalls(threads.calls(session));
  const count = (
    { call, tool }: Pick<CallCost, "call" | "tool">,
    output: AiSdkModelOutput | undefined,
    record: CallRecord | undefined,
  ): void => {
    const tokens = output === undefined ? 0 : tokensInOutput(output);
    if (output !== undefined) calls.push({ call, tool, characters: charactersIn(output), tokens });
    const sums = byTool.get(tool) ?? { tool, calls: 0, tokens: 0, cut: 0 };
    byTool.set(tool, sums);
    sums.calls++;
    sums.tokens += tokens;
    const { truncated, output_path: file } = record?.result.metadata ?? {};
    if (truncated !== true) return;
    sums.cut++;
    cut.push({ call, tool, ...(file !== undefined && { file }) });
  };
  let usage: Usage | undefined;
  for (const { entry } of threads.entries(session)) {
    if (entry.kind === "result") {
      const record = recorded.take(entry.callId);
      count({ call: entry.callId, tool: record?.tool ?? entry.name }, entry.output, record);
    } else if (entry.kind === "assistant" && entry.usage !== undefined) {
      usage = usage === undefined ? entry.usage : addUsage(usage, entry.usage);
    }
  }
  // Calls of clients and people have no thread: their results went out as text. Those of a program's
  // calls went to the program.
  for (const record of recorded.rest()) {
    const { callId: call, name, tool = name, result } = record;
    const isInner = result.metadata.parent_id !== undefined;
    count({ call, tool }, isInner ? undefined : toClientOutput(result, roots), record);
  }
  const results = [...byTool.values()].sort((one, other) => other.tokens - one.tokens);
  const tokens = results.reduce((sum, tool) => sum + tool.tokens, 0);
  return { session, result_tokens: tokens, results, calls, cut, ...(usage && { usage }) };
}

// Paths in results are relative to them.
function findRoots(id: string, options: CommonOptions, io: Io): readonly string[] {
  const { roots } = openComputer(options, io);
  const known = listSessions(stateDirectory(io.environment)).find((session) => session.id === id);
  return known === undefined || known.workspace === roots[0] ? roots : [known.workspace];
}

function toClientOutput(result: ToolResult, roots: readonly string[]): AiSdkModelOutput {
  const output = toAiSdkOutput(result);
  const text = toClientText(result, roots);
  if (output.type !== "content") return { ...output, value: text };
  const images = output.value.filter(({ type }) => type !== "text");
  return { type: "content", value: [{ type: "text", text }, ...images] };
}

function charactersIn(output: AiSdkModelOutput): number {
  if (output.type !== "content") return output.value.length;
  return output.value.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
}

interface UnusedTool {
  readonly tool: string;
  readonly definition_tokens: number;
}

async function listNeverUsed(
  results: readonly ToolLedger[],
  options: CommonOptions,
  io: Io,
): Promise<readonly UnusedTool[]> {
  const used = new Set(results.map(({ tool }) => tool));
  const workspace = await openWorkspace(options, io, { shows: true, makesCalls: false });
  try {
    const session: Session = workspace.openSession();
    return session
      .tools("all")
      .filter(({ tool }) => !used.has(tool))
      .map((tool) => ({ tool: tool.tool, definition_tokens: tokensOfDefinition(tool) }));
  } finally {
    await workspace.close();
  }
}

function print({ session, results, result_tokens, cut, usage }: Ledger, io: Io): void {
  if (results.length === 0) {
    io.out(`Session ${toVisibleText(session)} has no recorded calls.\n`);
    return;
  }
  const width = Math.max(4, ...results.map(({ tool }) => toVisibleText(tool).length));
  const row = (tool: string, ...cells: readonly (number | string)[]): void => {
    const line = `${tool.padEnd(width)}${cells.map((cell) => String(cell).padStart(9)).join("")}`;
    io.out(`${line.trimEnd()}\n`);
  };
  row("tool", "calls", "tokens", "cut");
  for (const { tool, calls, tokens, cut: count } of results) {
    row(toVisibleText(tool), calls, tokens, count === 0 ? "" : count);
  }
  io.out(`\nResults: ${result_tokens} tokens, estimated as characters / 4, each counted once.\n`);
  if (usage !== undefined) {
    const { input_tokens, output_tokens, cached_tokens, cost } = usage;
    const price = cost === undefined ? "" : `, cost ${cost.toFixed(4)}`;
    io.out(
      `Requests of the agent: ${input_tokens} tokens in (${cached_tokens} from the cache), ${output_tokens} out${price}.\n`,
    );
  }
  for (const { call, tool, file } of cut) {
    const whole = file === undefined ? "" : `: ${toVisibleText(file)}`;
    io.out(`Cut: ${toVisibleText(`${tool} (${call})`)}${whole}\n`);
  }
}
