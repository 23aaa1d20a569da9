import { type Runtime, ToolError } from "@haft/contract";
import type { NestedCalls, Session } from "@haft/core";
import { Cell, type CellData } from "./cell.ts";
import { readCellOptions, roomOf } from "./cell-options.ts";
import type { Cells } from "./cells.ts";
import { programLimits } from "./program-limits.ts";
import type { ProgramPool } from "./program-pool.ts";
import { excludedTools, listProgramTools, type ProgramTools } from "./program-tools.ts";
import { type RunCodeContext, storeKey, toStored } from "./run-code.ts";
import { type EndedProgram, runProgram } from "./run-program.ts";

// A cell yields instead of ending at a time limit. This one ends those that are forgotten.
const maxCellMs = 60 * 60 * 1000;

/** Runs a program as a cell: if it takes long, it goes on after this call. */
export async function runCell(
  code: string,
  { callId, session: own, signal, settings }: Runtime,
  { pool, sessionOf, cells }: RunCodeContext & { readonly cells: Cells },
): Promise<CellData> {
  const { yieldMs, maxLength } = readCellOptions(code);
  const session = sessionOf(own.id);
  let cell: Cell | undefined;
  const calls = session?.nest(callId, {
    excludeTools: excludedTools,
    onAsk: (isAsking) => cell?.pause(isAsking),
  });
  if (session === undefined || calls === undefined) {
    throw new ToolError(
      "not-available",
      "Programs can't be run from here. Call the tools directly.",
    );
  }
  const started = await cells.start(own.id, async (id) =>
    startCell(id, { code, session, calls, signal, state: own.state, processes: await pool() }),
  );
  cell = started;
  await started.wait(yieldMs, signal);
  if (signal.aborted) await started.ended;
  const data = started.report(roomOf(maxLength, settings));
  if (signal.aborted) throw stopped(data);
  if (data.status === "running") {
    const stop = (): void => {
      started.terminate();
      cells.close(own.id, started.id);
    };
    calls.outlive({ name: `Cell ${started.id}`, ended: started.ended, stop });
    cells.keep(own.id, { cell: started, follow: (waiting) => calls.askDuring(waiting) });
  }
  return data;
}

interface CellContext {
  readonly code: string;
  readonly session: Session;
  readonly calls: NestedCalls;
  readonly signal: AbortSignal;
  readonly state: Runtime["session"]["state"];
  readonly processes: ProgramPool;
}

async function startCell(id: string, context: CellContext): Promise<Cell> {
  const { code, session, calls, signal, state, processes } = context;
  const stored = toStored(await state.get(storeKey));
  const tools = listProgramTools(session);
  const process = await processes.take();
  const order = { code, timeoutMs: maxCellMs, stored, cell: { tools: describeTools(tools) } };
  return new Cell(id, {
    start: (cell) =>
      runProgram(order, {
        process,
        tools,
        calls,
        signal: AbortSignal.any([signal, cell.signal]),
        onCell: (message) => cell.take(message),
      }),
    save: async (end) => {
      void processes.warm();
      await saveStored(end, stored, state);
    },
    tell: (text) => calls.tell(text),
  });
}

// Models know the shell by this name, too.
function describeTools(tools: ProgramTools): ReturnType<ProgramTools["listAll"]> {
  const all = tools.listAll();
  if (!all.some(({ name }) => name === "shell_command")) return all;
  const description = [
    "Runs a command with bash and returns its whole output as data.",
    "exec_command(args: { cmd: string; workdir?: string; timeout_ms?: number; max_output_tokens?: number }): Promise<{ wall_time_seconds: number; exit_code?: number; output: string }>;",
  ].join("\n");
  return [{ name: "exec_command", description }, ...all];
}

// Other cells may have stored values meanwhile, or do so now.
function saveStored(
  { stored: after }: EndedProgram,
  before: Readonly<Record<string, string>>,
  state: Runtime["session"]["state"],
): Promise<void> {
  if (after === undefined) return Promise.resolve();
  const merge = async (): Promise<void> => {
    const [old, own] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
    const now = new Map(Object.entries(toStored(await state.get(storeKey))));
    for (const key of new Set([...old.keys(), ...own.keys()])) {
      const json = own.get(key);
      if (json === old.get(key)) continue;
      if (json === undefined) now.delete(key);
      else now.set(key, json);
    }
    let length = 0;
    for (const [key, json] of now) length += key.length + json.length;
    // Together they are too much, so those of the last cell stay.
    await state.set(storeKey, length > programLimits.stored ? after : Object.fromEntries(now));
  };
  saving = saving.then(merge, merge);
  return saving;
}

let saving: Promise<void> = Promise.resolve();

function stopped({ content }: CellData): ToolError {
  const partial = content.flatMap((item) => (item.type === "text" ? [item.text] : [])).join("\n");
  const text = "The program was stopped.";
  return new ToolError("cancelled", text, partial === "" ? {} : { partial });
}
