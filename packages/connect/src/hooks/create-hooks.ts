import { randomUUID } from "node:crypto";
import type {
  HookedCall,
  HookedEnd,
  HookedPrompt,
  HookedResult,
  HookedStop,
  HookedTurn,
  HookVerdict,
  SessionHooks,
} from "@haft/core";
import { runAfter, runBefore, runPermission } from "./around-call.ts";
import { HookEngine, type HooksOptions } from "./hook-engine.ts";
import type { HookFile } from "./hook-file.ts";

/** Creates the hooks of a session from hook files. They start with its first call or prompt. */
export function createHooks(files: readonly HookFile[], options: HooksOptions): SessionHooks {
  return new FileHooks(new HookEngine(files, options));
}

class FileHooks implements SessionHooks {
  readonly #engine: HookEngine;
  #started: Promise<readonly string[]> | undefined;
  #ended: Promise<unknown> | undefined;

  constructor(engine: HookEngine) {
    this.#engine = engine;
  }

  before(call: HookedCall): Promise<HookVerdict> | undefined {
    const starts = this.#started === undefined && this.#engine.has("start");
    if (starts || this.#engine.has("before")) return this.#judge(call);
    this.#started ??= Promise.resolve([]);
    return undefined;
  }

  async #judge(call: HookedCall): Promise<HookVerdict> {
    return runBefore(call, this.#engine, [...(await this.#start())]);
  }

  after(call: HookedCall, end: HookedEnd): Promise<HookedResult> | undefined {
    const engine = this.#engine;
    return engine.has("after") || engine.has("failure") ? runAfter(call, end, engine) : undefined;
  }

  onAsk(call: HookedCall, reason: string): Promise<HookVerdict> | undefined {
    const engine = this.#engine;
    if (engine.has("notification")) this.#notify(call, reason);
    return engine.has("permission") ? runPermission(call, engine) : undefined;
  }

  // Nothing waits for it, and it never rejects.
  #notify({ tool, session }: HookedCall, reason: string): void {
    const message = `Haft needs your permission to use ${tool.id}: ${reason}`;
    void this.#engine.run("notification", {
      names: ["permission_prompt", "ToolPermission"],
      session,
      toFields: ({ format }) =>
        format === "gemini"
          ? { notification_type: "ToolPermission", message, details: {} }
          : { notification_type: "permission_prompt", message },
    });
  }

  async prompt({ session, prompt, model, signal }: HookedTurn): Promise<HookedPrompt> {
    const engine = this.#engine;
    // The prompt of a subagent is an argument of its parent's call.
    if (session !== engine.options.session) return { context: [] };
    engine.model = model;
    engine.turn = randomUUID();
    const context = [...(await this.#start())];
    const toFields = () => ({ prompt });
    const answers = await engine.run("prompt", { names: [], session, signal, toFields });
    for (const { event, label, block, stop, context: text } of answers) {
      if (text !== undefined) context.push(`${event} hook: ${text}`);
      const reason = block ?? stop;
      if (reason === undefined) continue;
      engine.stop = undefined;
      return { block: `The ${event} hook ${label} blocked this prompt: ${reason}`, context };
    }
    return { context };
  }

  async stop({ session, prompt, text, isHeld, signal }: HookedStop): Promise<string | undefined> {
    const engine = this.#engine;
    const { agent } = engine.describe(session);
    const answers = await engine.run(agent === undefined ? "stop" : "subagent-stop", {
      names: agent === undefined ? [] : [agent.type],
      session,
      signal,
      toFields: ({ format }) =>
        format === "gemini"
          ? { prompt, prompt_response: text, stop_hook_active: isHeld }
          : { stop_hook_active: isHeld, last_assistant_message: text },
    });
    const isStopped = this.takeStop() !== undefined;
    const held = answers.filter(({ block }) => block !== undefined);
    if (isStopped || held.length === 0) return undefined;
    return held.map(({ event, block }) => `${event} hook: ${block}`).join("\n");
  }

  takeStop(): string | undefined {
    const reason = this.#engine.stop;
    this.#engine.stop = undefined;
    return reason;
  }

  async end(): Promise<void> {
    // A session without calls and prompts did not start.
    if (this.#started === undefined) return;
    this.#ended ??= this.#engine.run("end", {
      names: ["other", "exit"],
      session: this.#engine.options.session,
      toFields: ({ format }) => ({ reason: format === "gemini" ? "exit" : "other" }),
    });
    await this.#ended;
  }

  /** Runs the hooks of the start once. Only the first caller gets their texts. */
  async #start(): Promise<readonly string[]> {
    if (this.#started !== undefined) {
      await this.#started;
      return [];
    }
    const { isResumed, session } = this.#engine.options;
    const source = isResumed ? "resume" : "startup";
    const starting = this.#engine.run("start", {
      names: [source],
      session,
      toFields: () => ({ source }),
    });
    this.#started = starting.then((answers) =>
      answers.flatMap(({ event, context }) =>
        context === undefined ? [] : [`${event} hook: ${context}`],
      ),
    );
    return this.#started;
  }
}
