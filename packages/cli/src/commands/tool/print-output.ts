import { toVisibleText } from "@haft/core/internal";
import type { InvocationResult, PrintedLogs } from "@haft/platform/client";
import type { Io } from "../../io.ts";

/** Prints a tool's output: as it is, or for a person in a terminal, with JSON indented. */
export function printOutput(output: string, io: Io): void {
  const shown = io.outputIsTerminal ? toVisibleText(indentJson(output)) : output;
  io.out(`${shown}${shown.endsWith("\n") ? "" : "\n"}`);
}

/** Prints a result: the output on standard output; logs, warnings and errors on standard error. */
export function printInvocation(result: InvocationResult, io: Io): void {
  if (result.logs !== undefined) io.error(showLogs(result.logs, io));
  if (result.warning !== undefined) io.error(`haft: ${toVisibleText(result.warning)}\n`);
  if (result.succeeded) {
    printOutput(result.output, io);
    return;
  }
  const { exception_type: type, exception_message: message } = result;
  const stack = result.exception_stack_trace.map((line) => `    ${toVisibleText(line)}\n`);
  io.error(`haft: ${toVisibleText(`${type}: ${message}`)}\n${stack.join("")}`);
}

function showLogs(logs: PrintedLogs, io: Io): string {
  return (["stdout", "stderr"] as const)
    .filter((stream) => logs[stream].text !== "")
    .map((stream) => showStream(stream, logs[stream].text, io.errorIsTerminal === true))
    .join("");
}

/** Formats what a tool printed, each line behind the name of the stream. */
export function showStream(name: string, text: string, isTerminal: boolean): string {
  const shown = (isTerminal ? toVisibleText(text) : text).replace(/\n$/u, "");
  return `${shown.replace(/^/gmu, `    ${name} | `)}\n`;
}

/** Indents a text that is a JSON object or array. Others stay as they are. */
export function indentJson(text: string): string {
  if (!/^\s*[[{]/u.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
