import { hash } from "node:crypto";
import { type HookFile, type HookMoment, nameEvent } from "./hook-file.ts";
import type { HookSession } from "./hook-input.ts";
import {
  type HookOccasion,
  type HookRunner,
  type NamedAnswer,
  runHooks,
  selectHooks,
} from "./run-hooks.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The session that hooks run for. */
export interface HooksOptions extends HookRunner {
  /** ID of the session. */
  readonly session: string;
  /** Whether the session had calls before. */
  readonly isResumed: boolean;
  /** Shows a message to the person. */
  warn(message: string): void;
}

/** What one hook of a file answered. */
export interface FileAnswer extends NamedAnswer {
  readonly file: HookFile;
  /** The event, as its agent calls it. */
  readonly event: string;
}

/** What hooks are run for. */
export interface EngineOccasion {
  /** What matchers are compared with. */
  readonly names: readonly string[];
  /** ID of the session or of the subagent's session. */
  readonly session: string;
  readonly signal?: AbortSignal;
  /** Returns the fields of the event for the format of a file. */
  toFields(file: HookFile): Fields;
}

/** Runs the hooks of several files for one session. */
export class HookEngine {
  readonly files: readonly HookFile[];
  readonly options: HooksOptions;
  /** The last model that was asked. */
  model = "";
  /** ID of the turn. */
  turn = "";
  /** Why a hook wants the agent to stop. */
  stop: string | undefined;
  readonly #uuid: string;

  constructor(files: readonly HookFile[], options: HooksOptions) {
    this.files = files;
    this.options = options;
    this.#uuid = toUuid(options.session);
  }

  get root(): string {
    return this.options.roots[0] as string;
  }

  has(moment: HookMoment): boolean {
    return this.files.some(({ groups }) => (groups[moment]?.length ?? 0) > 0);
  }

  /** Describes a session for hooks. Any other session than the own one is a subagent's. */
  describe(session: string): HookSession {
    const own = { uuid: this.#uuid, root: this.root, model: this.model, turn: this.turn };
    if (session === this.options.session) return own;
    return { ...own, agent: { id: toUuid(session), type: nameAgent(session) } };
  }

  /** Runs the hooks of all files side by side. */
  async run(moment: HookMoment, occasion: EngineOccasion): Promise<readonly FileAnswer[]> {
    const all = await Promise.all(this.files.map((file) => this.runFile(file, moment, occasion)));
    return all.flat();
  }

  /** Runs the hooks of one file. */
  async runFile(
    file: HookFile,
    moment: HookMoment,
    { names, session, signal, toFields }: EngineOccasion,
  ): Promise<readonly FileAnswer[]> {
    if (file.groups[moment] === undefined) return [];
    const described = this.describe(session);
    const fields = toFields(file);
    const occasion: HookOccasion = { moment, names, session: described, signal, fields };
    const selected = selectHooks(file, occasion);
    if (selected.handlers.length === 0) return [];
    const answers = await runHooks(selected, file, { occasion, runner: this.options });
    const event = nameEvent(file.format, moment);
    for (const { label, message, failure, stop } of answers) {
      if (message !== undefined && message !== "") this.options.warn(`${event} hook: ${message}`);
      if (failure !== undefined) this.options.warn(`The ${event} hook ${label} failed: ${failure}`);
      if (stop !== undefined && moment !== "start")
        this.stop = `The ${event} hook ${label} stopped the agent: ${stop}`;
    }
    return answers.map((answer) => ({ ...answer, file, event }));
  }
}

// The session of a subagent is named `PARENT.AGENT-WORD`.
function nameAgent(session: string): string {
  const name = session.slice(session.lastIndexOf(".") + 1);
  return name.replace(/-[^-]*$/u, "");
}

// Hooks name files after it, and the ID of a session has slashes.
function toUuid(text: string): string {
  const digest = hash("sha256", text);
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  return parts.join("-");
}
