import type { Usage } from "@haft/agent";
import { createRecordedCalls, tokensOfOutput } from "@haft/agent/internal/threads";
import type { Threads } from "@haft/agent/threads";
import { toAiSdkOutput } from "@haft/connect/internal/ai-sdk";
import type { CallRecord, Session } from "@haft/core";
import { tokensOfDefinition, toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openWorkspace } from "../../open-workspace.ts";
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
  const ledger = await withRecords(options, io, ({ threads, find }) =>
    readLedger(threads, find(wanted)),
  );
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

interface Ledger {
  readonly session: string;
  /** Each result counts once, although every later request contains it again. */
  readonly result_tokens: number;
  readonly results: readonly ToolLedger[];
  /** The calls whose results were cut, with the file that holds the whole. */
  readonly cut: readonly { readonly call: string; readonly tool: string; readonly file?: string }[];
  /** What providers reported for the requests of the session's agent. */
  readonly usage?: Usage | undefined;
}

function readLedger(threads: Threads, session: string): Ledger {
  const byTool = new Map<string, ToolLedger>();
  const cut: Ledger["cut"][number][] = [];
  const recorded = createRecordedCalls(threads.calls(session));
  const count = (tool: string, tokens: number, record: CallRecord | undefined): void => {
    const sums = byTool.get(tool) ?? { tool, calls: 0, tokens: 0, cut: 0 };
    byTool.set(tool, sums);
    sums.calls++;
    sums.tokens += tokens;
    const { truncated, output_path: file } = record?.result.metadata ?? {};
    if (truncated !== true || record === undefined) return;
    sums.cut++;
    cut.push({ call: record.callId, tool, ...(file !== undefined && { file }) });
  };
  let usage: Usage | undefined;
  for (const { entry } of threads.entries(session)) {
    if (entry.kind === "result") {
      const record = recorded.take(entry.callId);
      count(record?.tool ?? entry.name, tokensOfOutput(entry.output), record);
    } else if (entry.kind === "assistant" && entry.usage !== undefined) {
      usage = usage === undefined ? entry.usage : addUsage(usage, entry.usage);
    }
  }
  // Calls of clients and people have no thread: their results went out as text. Those of a program's
  // calls went to the program.
  for (const record of recorded.rest()) {
    const isInner = record.result.metadata.parent_id !== undefined;
    const tokens = isInner ? 0 : tokensOfOutput(toAiSdkOutput(record.result));
    count(record.tool ?? record.name, tokens, record);
  }
  const results = [...byTool.values()].sort((one, other) => other.tokens - one.tokens);
  const tokens = results.reduce((sum, tool) => sum + tool.tokens, 0);
  return { session, result_tokens: tokens, results, cut, ...(usage && { usage }) };
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
