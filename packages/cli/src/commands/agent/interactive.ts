import { randomUUID } from "node:crypto";
import type { StartedAgent, TurnOutcome, Usage } from "@haft/agent";
import { toVisibleText } from "@haft/core/internal";
import type { Style } from "../../terminal/style.ts";
import { createCallPrinter } from "./call-printer.ts";
import { addUsage, describeUsage } from "./describe-usage.ts";
import { createEventPrinter } from "./event-printer.ts";
import type { LineEditor } from "./line-editor.ts";
import type { Screen } from "./screen.ts";
import { readSlashCommand, runSlashCommand, type SlashCommand } from "./slash-commands.ts";
import type { SlashContext, SlashEffect } from "./slash-context.ts";

/** What a conversation in the terminal needs. */
export interface TalkParts extends Pick<SlashContext, "source"> {
  readonly screen: Screen;
  readonly style: Style;
  readonly editor: LineEditor;
  /** Starts the agent of this name in a new session, or goes on in another one. */
  renew(agent: string, session?: string): Promise<StartedAgent>;
  /** IDs of calls that need no approval because the person typed them. */
  readonly typedCalls: Set<string>;
  /** Returns the command line that continues a session. */
  goOn(session: string): string;
}

interface Talk {
  agent: StartedAgent;
  used: { readonly steps: number; readonly usage: Usage };
  /** Whether the session has a prompt. */
  isUsed: boolean;
  /** Ends the conversation at once. */
  readonly leave: AbortController;
}

const nothing: Usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost: 0 };

/** Runs a conversation until the person exits, closes the agent and returns the exit code. */
export async function runInteractive(first: StartedAgent, parts: TalkParts): Promise<number> {
  const { screen, style, editor } = parts;
  const talk: Talk = {
    agent: first,
    used: { steps: 0, usage: nothing },
    isUsed: false,
    leave: new AbortController(),
  };
  const stop = (): void => {
    talk.leave.abort();
    editor.close();
  };
  screen.io.signal.addEventListener("abort", stop, { once: true });
  if (screen.io.signal.aborted) stop();
  const forget = screen.io.onInterrupt?.(() => editor.interrupt());
  try {
    greet(talk.agent, parts);
    await listen(talk, parts);
    if (talk.isUsed) screen.line(style.dim(`To continue: ${parts.goOn(talk.agent.session.name)}`));
  } finally {
    forget?.();
    screen.io.signal.removeEventListener("abort", stop);
    screen.status(undefined);
    editor.close();
    await talk.agent.close();
  }
  return 0;
}

async function listen(talk: Talk, parts: TalkParts): Promise<void> {
  const { screen, style, editor } = parts;
  let isWarned = false;
  while (!talk.leave.signal.aborted) {
    const typed = await editor.read(`${talk.agent.manifest.name}> `);
    if (typed.type === "end") return;
    if (typed.type === "interrupted") {
      if (typed.wasEmpty && isWarned) return;
      isWarned = typed.wasEmpty;
      if (isWarned) screen.line(style.dim("Ctrl-C again, Ctrl-D or /exit leaves."));
      continue;
    }
    isWarned = false;
    if (typed.text.trim() === "") continue;
    const command = readSlashCommand(typed.text);
    if (command === undefined) await takeTurn(typed.text, talk, parts);
    else if ((await obey(command, talk, parts)) === "leave") return;
  }
}

async function takeTurn(text: string, talk: Talk, parts: TalkParts): Promise<void> {
  const { screen, style } = parts;
  talk.isUsed = true;
  const spent = talk.used.steps === 0 ? undefined : talk.used.usage.cost;
  const onEvent = createEventPrinter(screen, style, { spent });
  const outcome = await interruptible(
    (signal) => talk.agent.prompt(text, { signal, onEvent }),
    talk,
    parts,
  );
  screen.status(undefined);
  screen.endAnswer();
  if (outcome === undefined) return;
  const { steps, usage } = talk.used;
  talk.used = { steps: steps + outcome.steps, usage: addUsage(usage, outcome.usage) };
  screen.line(style.dim(describeTurn(outcome)));
}

function describeTurn({ reason, steps, usage }: TurnOutcome): string {
  const used = describeUsage(steps, usage);
  return reason === "aborted" ? `Stopped. ${used}` : used;
}

/**
 * Runs work that Ctrl-C aborts. If that does not end it, two more Ctrl-C exit the program; then there is
 * no outcome.
 */
async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  talk: Talk,
  { screen, style, editor }: TalkParts,
): Promise<T | undefined> {
  const controller = new AbortController();
  const { promise: left, resolve: leave } = Promise.withResolvers<undefined>();
  let pressed = 0;
  editor.onInterrupt(() => {
    pressed++;
    if (pressed === 1) {
      screen.line(style.dim("Stopping…"));
      controller.abort();
    } else if (pressed === 2) {
      screen.line(style.dim("Stopping. Press Ctrl-C again to exit at once."));
    } else {
      talk.leave.abort();
      leave(undefined);
    }
  });
  try {
    return await Promise.race([
      work(AbortSignal.any([controller.signal, talk.leave.signal])),
      left,
    ]);
  } finally {
    editor.onInterrupt(undefined);
  }
}

async function obey(command: SlashCommand, talk: Talk, parts: TalkParts): Promise<SlashEffect> {
  const { screen, style } = parts;
  const effect = await runSlashCommand(command, {
    ...parts,
    agent: talk.agent,
    used: talk.used,
    say: (line) => screen.line(line),
    call: async (name, args = {}) => {
      const calls = createCallPrinter(screen, style);
      const call = { id: randomUUID(), name, arguments: args };
      parts.typedCalls.add(call.id);
      calls.begin({ type: "tool-call", ...call });
      const result = await interruptible(
        (signal) => talk.agent.session.call(call, { signal }),
        talk,
        parts,
      );
      if (result !== undefined) calls.end({ type: "tool-result", ...call, result });
      screen.status(undefined);
      return result?.type === "output";
    },
  });
  if (effect === "new") await renew(talk, parts);
  if (typeof effect === "object") await renew(talk, parts, effect.session);
  return effect;
}

async function renew(talk: Talk, parts: TalkParts, session?: string): Promise<void> {
  let next: StartedAgent;
  try {
    next = await parts.renew(talk.agent.manifest.name, session);
  } catch (error) {
    parts.screen.line(parts.style.red(toVisibleText((error as Error).message)));
    return;
  }
  const last = talk.agent;
  talk.agent = next;
  talk.isUsed = false;
  greet(next, parts);
  await last.close();
}

function greet({ manifest, model, session }: StartedAgent, { screen, style }: TalkParts): void {
  const parts = [`${manifest.name} with ${model}`, `session ${session.name}`, "/help"];
  screen.line(style.dim(parts.join(" · ")));
}
