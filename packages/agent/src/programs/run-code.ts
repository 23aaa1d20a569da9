import { type JsonValue, type Runtime, ToolError } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import type { Session } from "@haft/core";
import type { Cells } from "./cells.ts";
import { type CheckedProgram, checkProgram } from "./check/check-program.ts";
import { programLimits } from "./program-limits.ts";
import type { ProgramPool } from "./program-pool.ts";
import { excludedTools, listProgramTools } from "./program-tools.ts";
import { type EndedProgram, type RunningProgram, runProgram } from "./run-program.ts";

/** Arguments of `run_code`. */
export interface RunCodeArguments {
  code: string;
  timeout_ms?: number;
}

/** Result of `run_code`. */
export interface RunCodeData {
  /** What the program printed, and the text that it returned. */
  output?: string;
  /** What it returned, if that is not a text. */
  result?: JsonValue;
  /** Says so if there is neither. */
  message?: string;
  notes?: string[];
}

/** What `run_code` needs of its surroundings. */
export interface RunCodeContext {
  /** Starts the processes of programs. */
  pool(): Promise<ProgramPool>;
  /** Returns the session that a call of the tool belongs to. */
  sessionOf(id: string): Session | undefined;
  /** The programs that go on after their calls. `code_output` needs the same. */
  readonly cells?: Cells;
}

/** The key of stored values in the state of a session. */
export const storeKey = "run_code.stored";

/** Runs a program for a call of `run_code`. */
export async function runCode(
  { code, timeout_ms: timeoutMs = programLimits.timeoutMs }: RunCodeArguments,
  { callId, session: { id, state }, signal }: Runtime,
  { pool, sessionOf }: RunCodeContext,
): Promise<RunCodeData> {
  const session = sessionOf(id);
  let program: RunningProgram | undefined;
  const calls = session?.nest(callId, {
    excludeTools: excludedTools,
    onAsk: (isAsking) => program?.pause(isAsking),
  });
  if (session === undefined || calls === undefined) {
    throw new ToolError(
      "not-available",
      "Programs can't be run from here. Call the tools directly.",
    );
  }
  const stored = toStored(await state.get(storeKey));
  const tools = listProgramTools(session);
  const processes = await pool();
  void processes.warm();
  const checked = await checkProgram(code, tools, processes.checker);
  if (checked.kind === "wrong") throw new ToolError("invalid-arguments", checked.text);
  const process = await processes.take();
  program = runProgram({ code, timeoutMs, stored }, { process, tools, calls, signal });
  const ran = await program.ended;
  void processes.warm();
  const ended = { ...ran, notes: [...ran.notes, ...toNotes(checked)] };
  if (ended.stored !== undefined) await state.set(storeKey, ended.stored);
  if (ended.error !== undefined) throw withOutput(ended.error, ended);
  return toData(ended);
}

function toNotes(checked: CheckedProgram): readonly string[] {
  if (checked.kind !== "unchecked" || checked.failure === "") return [];
  return [`The program ran without a check of its types: ${checked.failure}.`];
}

function toData({ output: printed, result, notes }: EndedProgram): RunCodeData {
  const isText = typeof result === "string";
  const output = isText ? printed + result : printed;
  const isSilent = output === "" && (result === undefined || isText);
  return {
    ...(output !== "" && { output }),
    ...(result !== undefined && !isText && { result }),
    ...(isSilent && { message: "The program ended. It printed and returned nothing." }),
    ...(notes.length > 0 && { notes: [...notes] }),
  };
}

function withOutput(error: ToolError, { output, notes }: EndedProgram): ToolError {
  const partial = [output, ...notes].filter((text) => text !== "").join("\n");
  if (partial === "") return error;
  return new ToolError(error.code, error.message, { cause: error, partial });
}

/** Reads the stored values of a session, as JSON by key. */
export function toStored(value: JsonValue | undefined): Record<string, string> {
  if (!isPlainObject(value)) return {};
  const entries = Object.entries(value).filter(([, json]) => typeof json === "string");
  return Object.fromEntries(entries) as Record<string, string>;
}
