import type { AgentListener, PromptPart, TurnOutcome } from "@haft/agent";
import { toVisibleJson, toVisibleText } from "@haft/core";
import type { Io } from "../../io.ts";
import { createStyle } from "../../terminal/style.ts";
import { describeUsage } from "./describe-usage.ts";
import { createEventPrinter } from "./event-printer.ts";
import { exitCodeOfTurn } from "./exit-code.ts";
import type { RunningAgent } from "./running-agent.ts";
import type { Screen } from "./screen.ts";

/** How one turn is shown. */
export interface OneShotView {
  /** `text` as it comes, with what the agent does beside it; `quiet` the answer only; `json` every event. */
  readonly form: "text" | "quiet" | "json";
  readonly screen: Screen;
  /** The command line that goes on with the session. */
  goOn(session: string): string;
}

/** Has an agent answer one prompt, and returns the exit code. */
export async function runOneShot(
  agent: RunningAgent,
  prompt: readonly PromptPart[],
  view: OneShotView,
): Promise<number> {
  const { io } = view.screen;
  const onEvent = chooseListener(view);
  const outcome = await agent.prompt(prompt, { signal: io.signal, onEvent });
  if (view.form === "quiet") printAnswer(outcome, io);
  if (view.form === "text" && io.errorIsTerminal === true) {
    const parts = [agent.session.name, describeUsage(outcome.steps, outcome.usage)];
    const line = [...parts, view.goOn(agent.session.name)].join(" · ");
    view.screen.line(createStyle(io).dim(line));
  }
  return exitCodeOfTurn(outcome.reason);
}

function chooseListener({ form, screen }: OneShotView): AgentListener | undefined {
  switch (form) {
    case "json":
      return (event) => printLine(event, screen.io);
    case "quiet":
      return undefined;
    default:
      return createEventPrinter(screen, createStyle(screen.io));
  }
}

function printLine(value: unknown, io: Io): void {
  const json = JSON.stringify(value);
  io.out(`${io.outputIsTerminal ? toVisibleJson(json) : json}\n`);
}

function printAnswer({ text, error }: TurnOutcome, io: Io): void {
  if (text !== "") {
    const shown = io.outputIsTerminal ? toVisibleText(text) : text;
    io.out(shown.endsWith("\n") ? shown : `${shown}\n`);
  }
  if (error !== undefined) io.error(`haft: ${toVisibleText(error)}\n`);
}
