import { errorCodes, type ToolResult } from "@haft/contract";
import type { CallOutcome } from "@haft/core";
import { toVisibleJson, toVisibleLine, toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { toResultText } from "./result-text.ts";

/** Prints a value as JSON, and nothing else, on standard output. */
export function printJson(value: unknown, io: Io): void {
  const json = JSON.stringify(value, undefined, io.outputIsTerminal ? 2 : undefined);
  io.out(`${io.outputIsTerminal ? toVisibleJson(json) : json}\n`);
}

/** Prints what was created: for a person in a terminal line by line, else or with `--json` as JSON. */
export function printFields(
  fields: object,
  { options }: Pick<CommandInput, "options">,
  io: Io,
): void {
  if (options.json === true || !io.outputIsTerminal) {
    printJson(fields, io);
    return;
  }
  const rows = Object.entries(fields).map(([name, value]) => [name, String(value)] as const);
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) io.out(`${name.padEnd(width)}  ${toVisibleLine(value)}\n`);
}

/** Prints a result for people: the content on standard output, remarks on standard error. */
export function printResult(result: ToolResult, io: Io): void {
  if (result.type === "error") {
    const code = result.metadata.error_code ?? "failed";
    io.error(`haft: ${toVisibleText(result.error_text)} [${code}]\n`);
    // A question cannot be allowed, only answered.
    if (code === "headless" && /needs approval/u.test(result.error_text)) {
      io.error("haft: to allow it, add --yes for this run, or --rule 'PERMISSION PATTERN allow'\n");
    }
  } else {
    const { text, remarks } = toResultText(result.data);
    const shown = io.outputIsTerminal ? toVisibleText(text) : text;
    if (text !== "" || remarks === undefined) {
      io.out(`${shown}${text.endsWith("\n") ? "" : "\n"}`);
    }
    for (const remark of remarks ?? []) io.error(`haft: ${toVisibleText(remark)}\n`);
  }
  printRemarks(result, io);
}

/** Prints the results of a batch for a person, each under its call. */
export function printOutcomes(outcomes: readonly CallOutcome[], io: Io): void {
  for (const { id, name, result } of outcomes) {
    io.out(`== ${toVisibleText(`${id} ${name}`)}\n`);
    printResult(result, io);
  }
}

/** Returns the exit code for these results: that of the first failure. */
export function exitCodeOfAll(outcomes: readonly CallOutcome[]): number {
  const failed = outcomes.find(({ result }) => result.type === "error");
  return failed === undefined ? 0 : exitCodeOf(failed.result);
}

/** Returns the exit code for this result. */
export function exitCodeOf(result: ToolResult): number {
  if (result.type === "output") return 0;
  return errorCodes[result.metadata.error_code ?? "failed"].exitCode;
}

function printRemarks({ metadata }: ToolResult, io: Io): void {
  if (metadata.truncated) {
    const where =
      metadata.output_path === undefined ? "" : `; more of it is in ${metadata.output_path}`;
    io.error(`haft: the output was truncated${where}\n`);
  }
  const { notes = [], warnings = [], notices = [] } = metadata;
  for (const remark of [...notes, ...warnings, ...notices]) {
    io.error(`haft: ${toVisibleText(remark)}\n`);
  }
}
