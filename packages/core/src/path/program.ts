import { ToolError } from "@haft/contract";
import type { Rule, RuleScope } from "../rules/rule.ts";
import type { Ruleset } from "../rules/ruleset.ts";

/** A call that can be stopped. */
interface Stoppable {
  readonly id: string;
  readonly ended: boolean;
  readonly abortReason: ToolError | undefined;
  abort(reason: ToolError): void;
}

/** The rules of the session. */
interface SessionRules {
  rules(): Ruleset;
  rulesWith(rules: readonly Rule[], scope: RuleScope): Ruleset;
}

/** How a program makes its calls. */
interface ProgramOptions {
  readonly excludeTools?: readonly string[];
  onAsk?(isAsking: boolean): void;
}

/** The calls that a running call makes itself, such as those of a program of `run_code`. */
export class Program {
  /** ID of the call during which a person is asked: the one that runs it, or a later one that waits for it. */
  callId: string;
  /** Whether it goes on when the call that runs it has returned. */
  outlives = false;
  /** Number of calls that it has made. */
  made = 0;
  readonly #outer: Stoppable;
  readonly #options: ProgramOptions;
  readonly #running = new Set<Stoppable>();
  #asked = 0;
  #allowed: readonly Rule[] = [];
  #ruleset: { readonly base: Ruleset; readonly whole: Ruleset } | undefined;

  constructor(outer: Stoppable, options: ProgramOptions) {
    this.callId = outer.id;
    this.#outer = outer;
    this.#options = options;
  }

  enter(call: Stoppable): void {
    this.#running.add(call);
  }

  leave(call: Stoppable): void {
    this.#running.delete(call);
  }

  /** Tells whether it can't call a tool. */
  excludes(tool: string): boolean {
    return this.#options.excludeTools?.includes(tool) ?? false;
  }

  /** Tells whether it can make no more calls. */
  get isOver(): boolean {
    const { ended, abortReason } = this.#outer;
    return abortReason !== undefined || (ended && !this.outlives);
  }

  /** Aborts the calls that still run. Returns how many there are. */
  abort(reason: string): number {
    for (const call of this.#running) call.abort(new ToolError("cancelled", reason));
    return this.#running.size;
  }

  /** Ends the program because a person wants that. */
  stop(): void {
    this.#outer.abort(new ToolError("rejected-by-user", "The user stopped this program."));
  }

  /** Allows what these rules allow until the program ends. */
  allow(rules: readonly Rule[]): void {
    this.#allowed = [...this.#allowed, ...rules];
    this.#ruleset = undefined;
  }

  /** The session's rules with those that a person allowed for this program. */
  rulesOf(session: SessionRules): Ruleset {
    const base = session.rules();
    if (this.#allowed.length === 0) return base;
    if (this.#ruleset?.base !== base) {
      this.#ruleset = { base, whole: session.rulesWith(this.#allowed, "session") };
    }
    return this.#ruleset.whole;
  }

  /** Tells that a person is asked about one of its calls, until the answer is there. */
  async whileAsking<T>(answer: Promise<T>): Promise<T> {
    if (this.#asked++ === 0) this.#options.onAsk?.(true);
    try {
      return await answer;
    } finally {
      if (--this.#asked === 0) this.#options.onAsk?.(false);
    }
  }
}
