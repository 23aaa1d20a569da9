import { runBeside } from "@haft/computer/internal";
import { clipText } from "@haft/contract/internal";
import { type HookAnswer, readAnswer } from "./hook-answer.ts";
import type { HookFile, HookHandler, HookMoment } from "./hook-file.ts";
import { type HookSession, toHookInput, toHookVariables } from "./hook-input.ts";
import { fitsCondition, isMatch } from "./matcher.ts";

type Fields = Readonly<Record<string, unknown>>;

const maxBytes = 1024 * 1024;
const maxTextLength = 10_000;
const maxLabelLength = 80;

/** What hooks run for. */
export interface HookOccasion {
  readonly moment: HookMoment;
  /** What matchers are compared with. */
  readonly names: readonly string[];
  /** The fields of the event. */
  readonly fields: Fields;
  readonly session: HookSession;
  readonly signal?: AbortSignal | undefined;
}

/** How hooks are run. */
export interface HookRunner {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly roots: readonly string[];
  /** Returns why a hook must not run, or `undefined`. */
  refuse(handler: HookHandler): string | undefined;
}

/** What one hook answered. */
export interface NamedAnswer extends HookAnswer {
  readonly label: string;
}

/** Returns the hooks of a file that an occasion calls for, each once. */
export function selectHooks(
  { groups, format }: HookFile,
  { moment, names, fields, session }: Pick<HookOccasion, "moment" | "names" | "fields" | "session">,
): SelectedHooks {
  const matching = (groups[moment] ?? []).filter(({ matcher }) => isMatch(matcher, names, format));
  const input = (fields.tool_input ?? {}) as Fields;
  const handlers = matching
    .flatMap((group) => group.handlers)
    .filter(
      ({ condition }) =>
        condition === undefined || fitsCondition(condition, { names, input, root: session.root }),
    );
  const byCommand = new Map(
    handlers.map((handler) => [JSON.stringify([handler.command, handler.args]), handler]),
  );
  return {
    handlers: [...byCommand.values()],
    isSequential: matching.some((group) => group.isSequential),
  };
}

/** Hooks to run, side by side or one after the other. */
export interface SelectedHooks {
  readonly handlers: readonly HookHandler[];
  readonly isSequential: boolean;
}

/** Runs selected hooks. The answers are in the order in which the hooks ended. Never rejects. */
export async function runHooks(
  { handlers, isSequential }: SelectedHooks,
  file: HookFile,
  { occasion, runner }: { readonly occasion: HookOccasion; readonly runner: HookRunner },
): Promise<readonly NamedAnswer[]> {
  const answers: NamedAnswer[] = [];
  let { fields } = occasion;
  const run = async (handler: HookHandler): Promise<void> => {
    const running = runHook(handler, file, { occasion: { ...occasion, fields }, runner });
    if (handler.isAsync) return;
    const answer = await running;
    answers.push(answer);
    // Hooks in sequence see what those before them changed.
    if (isSequential && answer.input !== undefined) {
      const input = { ...(fields.tool_input as object), ...answer.input };
      fields = { ...fields, tool_input: input };
    }
  };
  if (isSequential) for (const handler of handlers) await run(handler);
  else await Promise.all(handlers.map(run));
  return answers;
}

async function runHook(
  handler: HookHandler,
  file: HookFile,
  { occasion, runner }: { readonly occasion: HookOccasion; readonly runner: HookRunner },
): Promise<NamedAnswer> {
  const { moment, session, fields, signal } = occasion;
  const { format } = file;
  const label = clipText(handler.label.replaceAll(/\s+/gu, " "), maxLabelLength);
  const refused = runner.refuse(handler);
  if (refused !== undefined) {
    const isGuard = moment === "before" || moment === "prompt";
    return { label, ...(isGuard ? { block: refused } : { failure: refused }) };
  }
  const environment = {
    ...runner.environment,
    ...toHookVariables(session, file),
    ...handler.environment,
  };
  const isProgram = handler.args !== undefined;
  const shell = format === "codex" ? (environment.SHELL ?? "/bin/sh") : "bash";
  const ran = await runBeside({
    program: isProgram ? handler.command : shell,
    // bash reads .bashrc if its input is a socket, as Node's pipes are.
    args: handler.args ?? [...(format === "codex" ? ["-lc"] : ["--norc", "-c"]), handler.command],
    input: toHookInput(moment, { format, session, fields }),
    cwd: session.root,
    environment,
    timeoutMs: handler.timeoutMs,
    maxBytes,
    // What a hook starts in the background and leaves is the person's.
    keepsChildren: true,
    ...(signal && !handler.isAsync && { signal }),
  });
  const answer = clip(readAnswer(ran, format, moment));
  if (answer.failure === undefined || !handler.blocksOnFailure) return { ...answer, label };
  return { ...answer, label, block: `it failed: ${answer.failure}` };
}

function clip(answer: HookAnswer): HookAnswer {
  const texts = Object.entries(answer).map(([key, value]) => [
    key,
    typeof value === "string" && key !== "data" ? clipText(value, maxTextLength) : value,
  ]);
  return Object.fromEntries(texts) as HookAnswer;
}
