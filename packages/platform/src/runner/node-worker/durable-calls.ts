import { AsyncLocalStorage } from "node:async_hooks";
import type { JournalEntry, StepKind, StepResult, Wait } from "../run-journal.ts";
import type { JournalMessage, RunMessage } from "../worker-messages.ts";
import { readDuration } from "./read-duration.ts";

// A tool can replace globals, so what is needed later is saved before it is loaded.
const later = setImmediate;
const wait = setTimeout;
const { parse, stringify } = JSON;
const insideStep = new AsyncLocalStorage<true>();

const maxQuestionCharacters = 10_000;
const maxNameCharacters = 200;
const maxSchemaCharacters = 64 * 1024;
const maxErrorCharacters = 10_000;
// Without a journal a tool holds its process while it sleeps.
const maxPlainSleepMs = 5_000;

/** What a tool can call to do work once and to wait. */
export interface DurableCalls {
  step(name: string, work: () => unknown, options?: { repeatable?: boolean }): Promise<unknown>;
  sleep(duration: number | string): Promise<void>;
  ask(question: AskOptions): Promise<unknown>;
}

interface AskOptions {
  readonly question: string;
  readonly schema?: unknown;
  readonly deadline?: number | string;
  readonly answerers?: readonly string[];
}

/** The calls of one invocation. */
export interface DurableRun {
  readonly calls: DurableCalls;
  /** Whether the tool repeats what it did before. Then nothing that it says is new. */
  isReplaying(): boolean;
  /** Receives a message of the server. */
  hear(message: JournalMessage): void;
  /** Returns what is wrong if the tool ends now. */
  findDivergence(): Error | undefined;
}

/** How a run reaches the server. */
export interface DurableChannel {
  begin(step: { position: number; name: string; isRepeatable: boolean }): void;
  end(position: number, result: StepResult): void;
  /** Ends the invocation's use of this worker. */
  suspend(waits: readonly Wait[]): void;
  /** Ends the invocation with an error that the tool can't catch. */
  fail(error: Error): void;
}

/** A call of `step`, `sleep` or `ask` in this run. */
interface OpenCall {
  /** What it waits for, until it has a result. */
  readonly wait: Wait | undefined;
  settle(result: StepResult): void;
}

/** Creates the durable calls of an invocation. Without a journal, steps just run. */
export function createDurableRun(
  journal: RunMessage["journal"],
  channel: DurableChannel,
): DurableRun {
  if (journal === undefined) return plainRun;
  const { entries, limits } = journal;
  const known = new Map<number, JournalEntry>(entries.map((entry) => [entry.position, entry]));
  // Results arrive in the order in which they arrived first, so that the tool takes the same way.
  const undelivered = entries
    .filter((entry) => entry.ordinal !== undefined)
    .sort((one, other) => (one.ordinal ?? 0) - (other.ordinal ?? 0));
  const open = new Map<number, OpenCall>();
  const acknowledged = new Map<number, (message: JournalMessage) => void>();
  let count = 0;
  let running = 0;
  let hasEnded = false;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || hasEnded) return;
    isScheduled = true;
    later(() => {
      isScheduled = false;
      turn();
    });
  };
  const turn = (): void => {
    const [next] = undelivered;
    const call = next === undefined ? undefined : open.get(next.position);
    if (next !== undefined && call !== undefined) {
      undelivered.shift();
      open.delete(next.position);
      call.settle(next.result ?? {});
      schedule();
      return;
    }
    const waits = [...open.values()].flatMap((each) => each.wait ?? []);
    if (hasEnded || running > 0 || waits.length === 0) return;
    hasEnded = true;
    channel.suspend(waits);
  };
  const failWith = (name: string, message: string): Promise<never> => {
    hasEnded = true;
    channel.fail(Object.assign(new Error(message), { name }));
    return new Promise(() => {});
  };
  /** Returns the number of a new call, and its recorded entry if there is one. */
  const take = (kind: StepKind, name: string): Promise<number> | number => {
    refuseNested(kind);
    const position = count;
    if (position >= limits.maxSteps) {
      return failWith("TooManySteps", `An invocation can have ${limits.maxSteps} steps at most.`);
    }
    count += 1;
    const entry = known.get(position);
    if (entry !== undefined && (entry.kind !== kind || entry.name !== name)) {
      return failWith("Diverged", explainDivergence(entry, { kind, name }));
    }
    return position;
  };
  const untilSettled = (position: number, wait?: Wait): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const settle = (result: StepResult): void => {
        if ("error" in result) reject(toError(result.error));
        else resolve(result.value);
      };
      open.set(position, { wait, settle });
      schedule();
    });
  const untilRecorded = (position: number): Promise<JournalMessage> =>
    new Promise((resolve) => void acknowledged.set(position, resolve));

  const runStep = async (
    position: number,
    { name, work, isRepeatable }: { name: string; work: () => unknown; isRepeatable: boolean },
  ): Promise<unknown> => {
    running += 1;
    const begun = untilRecorded(position);
    channel.begin({ position, name, isRepeatable });
    await begun;
    const result = await perform(work, limits.maxResultCharacters);
    const recorded = untilRecorded(position);
    channel.end(position, result);
    const { result: kept = result } = await recorded;
    running -= 1;
    schedule();
    if ("error" in kept) throw toError(kept.error);
    return kept.value;
  };

  return {
    isReplaying: () => undelivered.length > 0,
    hear: (message) => {
      const resolve = acknowledged.get(message.position);
      acknowledged.delete(message.position);
      resolve?.(message);
    },
    findDivergence: () => {
      if (hasEnded) return undefined;
      const missed = entries.find(({ position }) => position >= count);
      return missed === undefined
        ? undefined
        : Object.assign(new Error(explainDivergence(missed, undefined)), { name: "Diverged" });
    },
    calls: {
      step: async (name, work, options) => {
        requireStep(name, work);
        const position = await take("step", name);
        if (known.has(position)) return untilSettled(position);
        return runStep(position, { name, work, isRepeatable: options?.repeatable === true });
      },
      sleep: async (duration) => {
        const ms = readDuration(duration, "sleep");
        const position = await take("sleep", "sleep");
        await untilSettled(position, { kind: "sleep", position, ms });
      },
      ask: async (options) => {
        const asked = readQuestion(options);
        const position = await take("ask", "ask");
        return untilSettled(position, { ...asked, kind: "ask", position });
      },
    },
  };
}

const plainRun: DurableRun = {
  isReplaying: () => false,
  hear: () => {},
  findDivergence: () => undefined,
  calls: {
    step: async (name, work) => {
      requireStep(name, work);
      refuseNested("step");
      const result = await perform(work, Number.POSITIVE_INFINITY);
      if ("error" in result) throw toError(result.error);
      return result.value;
    },
    sleep: async (duration) => {
      const ms = readDuration(duration, "sleep");
      if (ms > maxPlainSleepMs) throw mustBeAsync(`sleep for more than ${maxPlainSleepMs} ms`);
      await new Promise((resolve) => wait(resolve, ms));
    },
    ask: async () => {
      throw mustBeAsync("ask");
    },
  },
};

function refuseNested(kind: StepKind): void {
  if (!insideStep.getStore()) return;
  throw new TypeError(`A step can't call ${kind}. Call it outside of the step.`);
}

function mustBeAsync(what: string): Error {
  const message = `A synchronous invocation can't ${what}. Invoke the tool with the header Prefer: respond-async, or haft tool invoke --async.`;
  return Object.assign(new Error(message), { name: "MustBeAsynchronous" });
}

/** Does the work of a step. What it returns is what a later run gets from the journal. */
async function perform(work: () => unknown, maxCharacters: number): Promise<StepResult> {
  try {
    const text = stringify(await insideStep.run(true, work)) as string | undefined;
    if (text === undefined) return {};
    if (text.length > maxCharacters) {
      throw Object.assign(
        new Error(
          `The step ran, but its result has more than ${maxCharacters} characters of JSON. Return less.`,
        ),
        { name: "ResultTooLarge" },
      );
    }
    return { value: parse(text) as unknown };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const type = String(error.name).slice(0, maxNameCharacters);
    return { error: { type, message: String(error.message).slice(0, maxErrorCharacters) } };
  }
}

function toError({ type, message }: { type: string; message: string }): Error {
  return Object.assign(new Error(message), { name: type });
}

function requireStep(name: unknown, work: unknown): void {
  const isName = typeof name === "string" && name !== "" && name.length <= maxNameCharacters;
  if (!isName) {
    throw new TypeError(`The name of a step has 1 to ${maxNameCharacters} characters.`);
  }
  if (typeof work !== "function") throw new TypeError(`The step ${name} needs a function.`);
}

function readQuestion({ question, schema, deadline, answerers }: AskOptions): {
  question: string;
  schema?: unknown;
  deadlineMs?: number;
  answerers?: readonly string[];
} {
  const isQuestion = typeof question === "string" && question !== "";
  if (!isQuestion || question.length > maxQuestionCharacters) {
    throw new TypeError(`ask needs a question of 1 to ${maxQuestionCharacters} characters.`);
  }
  const text = schema === undefined ? undefined : (stringify(schema) as string | undefined);
  if (text !== undefined && text.length > maxSchemaCharacters) {
    throw new TypeError(`The schema of an answer has ${maxSchemaCharacters} characters at most.`);
  }
  const isList = Array.isArray(answerers) && answerers.every((each) => typeof each === "string");
  if (answerers !== undefined && !isList) {
    throw new TypeError("answerers is a list of user IDs and role names.");
  }
  return {
    question,
    ...(text !== undefined && { schema: parse(text) as unknown }),
    ...(deadline !== undefined && { deadlineMs: readDuration(deadline, "deadline") }),
    ...(answerers !== undefined && { answerers }),
  };
}

function explainDivergence(
  entry: JournalEntry,
  called: { readonly kind: StepKind; readonly name: string } | undefined,
): string {
  const show = ({ kind, name }: { readonly kind: StepKind; readonly name: string }): string =>
    kind === "step" ? `step ${stringify(name)}` : kind;
  const found = called === undefined ? "the tool ended" : `the tool called ${show(called)}`;
  return `The invocation can't continue: call ${entry.position + 1} was ${show(entry)}, and this time ${found}. A tool must make the same calls in the same order each time it continues. Put everything that can differ, such as the time, random values and requests, into steps.`;
}
