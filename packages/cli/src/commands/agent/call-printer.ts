import type { AgentEvent } from "@haft/agent";
import type { ToolResult } from "@haft/contract";
import type { Style } from "../../terminal/style.ts";
import { clipLine } from "./clip-line.ts";
import type { Screen } from "./screen.ts";
import { showCall } from "./show-call.ts";
import { showBriefly, showResult } from "./show-result.ts";

type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { type: Type }>;

/** Prints the calls of one agent when they start and when they end. */
export interface CallPrinter {
  begin(event: EventOf<"tool-call">): void;
  update(event: EventOf<"tool-state"> | EventOf<"tool-progress">): void;
  end(event: EventOf<"tool-result">): void;
  /** Prints a remark about the agent itself. */
  remark(text: string): void;
  /** Creates a printer for a subagent, with its name as a prefix. */
  inside(thread: string, agent: string): CallPrinter;
}

const maxLineLength = 200;

// These tools ask a question themselves, which no rule answers.
const asking: readonly (string | undefined)[] = ["question", "plan_exit"];

/** Creates a printer for the calls of the agent that a person talks to. */
export function createCallPrinter(screen: Screen, style: Style): CallPrinter {
  return openPrinter(
    { indent: "", label: "" },
    {
      screen,
      style,
      lastShown: undefined,
      todos: "",
      isRemedyTold: false,
    },
  );
}

interface Shared {
  readonly screen: Screen;
  readonly style: Style;
  /** The call whose line is last on the screen; its result needs no label. */
  lastShown: string | undefined;
  todos: string;
  isRemedyTold: boolean;
}

interface LinePrefix {
  readonly indent: string;
  readonly label: string;
}

function openPrinter({ indent, label }: LinePrefix, shared: Shared): CallPrinter {
  const { screen, style } = shared;
  const running = new Map<string, string>();
  const questions = new Set<string>();
  const inner = new Map<string, CallPrinter>();
  const keyOf = (id: string): string => `${indent}${label}${id}`;
  const showStatus = (more = ""): void => {
    const line = [...running.values()].at(-1);
    // A call's own status replaces its arguments.
    const last = more === "" ? line : line?.split(" ", 1)[0];
    const others = running.size > 1 ? ` and ${running.size - 1} more` : "";
    screen.status(last === undefined ? "waiting for the model" : `${last}${others}${more}`);
  };
  return {
    begin: (event) => {
      const line = showCall(event);
      running.set(event.id, line);
      if (asking.includes(event.tool)) questions.add(event.id);
      screen.line(
        `${indent}${style.cyan("•")} ${label === "" ? "" : style.dim(label)}${emphasize(line, style)}`,
      );
      shared.lastShown = keyOf(event.id);
      showStatus();
    },
    update: (event) => {
      if (event.type === "tool-state") {
        // The person sees the question.
        if (event.state === "blocked-on-user") shared.lastShown = undefined;
        return;
      }
      const { message, done, total } = event.progress;
      const count = done === undefined ? "" : ` ${done}${total === undefined ? "" : `/${total}`}`;
      const words = message === undefined ? "" : `: ${clipLine(message, maxLineLength)}`;
      showStatus(`${count}${words}`);
    },
    end: ({ id, name, result, remarks = [] }) => {
      const line = running.get(id) ?? clipLine(name, maxLineLength);
      running.delete(id);
      const lines = label === "" ? showOnce(result, shared) : [showBriefly(result, style)];
      const notes = remarks.map((remark) => style.dim(clipLine(remark, maxLineLength)));
      if (lines.length + notes.length > 0 && shared.lastShown !== keyOf(id)) {
        screen.line(`${indent}${style.dim(`↳ ${label}${line}`)}`);
      }
      for (const one of [...lines, ...notes]) screen.line(`${indent}  ${one}`);
      if (!questions.delete(id)) tellRemedy(result, shared);
      shared.lastShown = undefined;
      showStatus();
    },
    remark: (text) => {
      screen.line(`${indent}${style.yellow(`${label}${clipLine(text, maxLineLength)}`)}`);
      shared.lastShown = undefined;
    },
    inside: (thread, agent) => {
      const known = inner.get(thread);
      if (known !== undefined) return known;
      const place = { indent: `${indent}  `, label: `${clipLine(agent, maxLineLength)} ` };
      const made = openPrinter(place, shared);
      inner.set(thread, made);
      return made;
    },
  };
}

// A task list is printed when it changed.
function showOnce(result: ToolResult, shared: Shared): string[] {
  const lines = showResult(result, shared.style);
  const data = result.type === "output" ? result.data : undefined;
  if (typeof data !== "object" || data === null || !("todos" in data)) return lines;
  const text = lines.join("\n");
  if (text === shared.todos) return [];
  shared.todos = text;
  return lines;
}

function tellRemedy({ metadata }: ToolResult, shared: Shared): void {
  if (metadata.error_code !== "headless" || shared.isRemedyTold) return;
  shared.isRemedyTold = true;
  shared.screen.line("haft: to allow such calls, add --yes or --rule 'PERMISSION PATTERN allow'");
}

function emphasize(line: string, style: Style): string {
  const end = line.indexOf(" ");
  return end === -1 ? style.bold(line) : style.bold(line.slice(0, end)) + line.slice(end);
}
