import type { AgentEvent, AgentListener, Usage } from "@haft/agent";
import type { Style } from "../../terminal/style.ts";
import { type CallPrinter, createCallPrinter } from "./call-printer.ts";
import { clipLine } from "./clip-line.ts";
import { describeSpending } from "./describe-usage.ts";
import type { Screen } from "./screen.ts";
import { createVisibleStream, type VisibleStream } from "./visible-stream.ts";

const maxLineLength = 200;
const maxNoticeLines = 5;

/** Prints an agent's events for people as they happen. `spent` is the cost of earlier turns. */
export function createEventPrinter(
  shown: Screen,
  style: Style,
  { spent }: { readonly spent?: number | undefined } = {},
): AgentListener {
  const spending = createSpending(spent);
  const screen: Screen = {
    ...shown,
    status: (text) => shown.status(text === undefined ? undefined : spending.beside(text)),
  };
  const printer: Printer = {
    screen,
    style,
    // Output to a file is not escaped.
    text: screen.io.outputIsTerminal ? createVisibleStream() : plainStream,
    calls: createCallPrinter(screen, style),
  };
  return (event) => {
    spending.hear(event);
    print(event, printer);
  };
}

/** What the status line shows beside the activity: the context of the last request, and the cost so far. */
function createSpending(spent: number | undefined) {
  let last: Usage | undefined;
  let cost = spent;
  const count = (event: AgentEvent): void => {
    if (event.type === "subagent") count(event.event);
    if (event.type !== "step-end" || event.usage.cost === undefined) return;
    cost = (cost ?? 0) + event.usage.cost;
  };
  return {
    hear: (event: AgentEvent): void => {
      count(event);
      if (event.type === "step-end") last = event.usage;
    },
    beside: (text: string): string =>
      last === undefined ? text : `${text} · ${describeSpending(last, cost)}`,
  };
}

interface Printer {
  readonly screen: Screen;
  readonly style: Style;
  readonly text: VisibleStream;
  readonly calls: CallPrinter;
}

const plainStream: VisibleStream = { push: (text) => text, end: () => "" };

function print(event: AgentEvent, printer: Printer): void {
  const { screen, style, text, calls } = printer;
  switch (event.type) {
    case "step-start":
      screen.status("waiting for the model");
      break;
    case "text":
      screen.answer(text.push(event.text));
      break;
    case "reasoning":
      screen.status("thinking");
      break;
    case "tool-call":
      endAnswer(printer);
      calls.begin(event);
      break;
    case "tool-state":
    case "tool-progress":
      calls.update(event);
      break;
    case "tool-result":
      calls.end(event);
      break;
    case "step-end":
      endAnswer(printer);
      break;
    case "turn-end":
      endAnswer(printer);
      screen.status(undefined);
      if (event.error !== undefined) {
        const colour = event.reason === "error" ? style.red : style.yellow;
        screen.line(colour(`haft: ${clipLine(event.error, 2 * maxLineLength)}`));
      }
      break;
    case "subagent":
      printSubagent(event, calls);
      break;
    default:
      printRemark(event, printer);
  }
}

function printRemark(event: AgentEvent, printer: Printer): void {
  const { screen, style } = printer;
  switch (event.type) {
    case "retry": {
      endAnswer(printer);
      const seconds = Math.ceil(event.delay_ms / 1000);
      const reason = clipLine(event.reason, maxLineLength);
      screen.line(style.yellow(`Retrying the model request in ${seconds} s: ${reason}`));
      break;
    }
    case "agent":
      screen.line(style.dim(clipLine(`${event.agent} continues (${event.model}).`, maxLineLength)));
      break;
    case "compaction":
      screen.line(style.dim(`Earlier messages (${event.entries} entries) were summarized.`));
      break;
    case "notice":
      for (const line of event.text.trim().split("\n").slice(0, maxNoticeLines)) {
        screen.line(style.dim(clipLine(line, maxLineLength)));
      }
      break;
    case "warning":
      screen.line(style.yellow(`haft: ${clipLine(event.message, 2 * maxLineLength)}`));
      break;
  }
}

// Only the calls of a subagent are printed; its text goes to its parent agent.
function printSubagent(
  event: Extract<AgentEvent, { type: "subagent" }>,
  parent: CallPrinter,
): void {
  const calls = parent.inside(event.thread, event.agent);
  const inner = event.event;
  switch (inner.type) {
    case "tool-call":
      calls.begin(inner);
      break;
    case "tool-state":
    case "tool-progress":
      calls.update(inner);
      break;
    case "tool-result":
      calls.end(inner);
      break;
    case "retry":
      calls.remark(`retrying: ${inner.reason}`);
      break;
    case "warning":
      calls.remark(inner.message);
      break;
    case "turn-end":
      if (inner.error !== undefined) calls.remark(inner.error);
      break;
    case "subagent":
      printSubagent(inner, calls);
      break;
  }
}

function endAnswer({ screen, text }: Printer): void {
  screen.answer(text.end());
  screen.endAnswer();
}
