import type { AgentListener, PromptPart, StartedAgent, TurnEnd, TurnOutcome } from "@haft/agent";
import { toVisibleJson, toVisibleText } from "@haft/core/internal";
import type { Io } from "../../io.ts";
import { createStyle } from "../../terminal/style.ts";
import { describeUsage } from "./describe-usage.ts";
import { createEventPrinter } from "./event-printer.ts";
import type { Screen } from "./screen.ts";

/** How a turn is printed. */
export interface OneShotView {
  /** `text` prints the answer as it arrives, and the calls; `quiet` only the answer; `json` every event. */
  readonly form: "text" | "quiet" | "json";
  readonly screen: Screen;
  /** Returns the command line that continues the session. */
  goOn(session: string): string;
}

/** Runs one prompt and returns the exit code. */
export async function runOneShot(
  agent: StartedAgent,
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

const exitCodes: Readonly<Record<TurnEnd, number>> = {
  end: 0,
  error: 1,
  "max-steps": 3,
  "max-tokens": 3,
  "max-cost": 3,
  loop: 3,
  aborted: 130,
};

/** Returns the exit code of `haft agent` for the end of a turn. */
function exitCodeOfTurn(reason: TurnEnd): number {
  return exitCodes[reason];
}
