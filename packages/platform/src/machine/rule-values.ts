import type { MachineUsage } from "./session-values.ts";

// The values of the API about rules and costs on the server's machine, under the API's own names.

export type RuleAction = "allow" | "ask" | "deny";

export interface RulesQuery {
  readonly workspace: string;
  /** Default: `default`. */
  readonly session: string;
}

/** The rules in effect, from the narrowest scope to the widest. */
export interface MachineRules {
  readonly workspace: string;
  readonly session: string;
  readonly scopes: readonly {
    readonly scope: string;
    /** Null for rules that are not in a file. */
    readonly file: string | null;
    readonly rules: readonly {
      readonly rule: string;
      readonly permission: string;
      readonly pattern: string;
      readonly action: RuleAction;
      readonly when: string | null;
      /** From 1. Null for rules that are not in a file. */
      readonly line: number | null;
      /** Whether it may allow something. */
      readonly trusted: boolean;
    }[];
  }[];
}

export interface CallCheckRequest {
  readonly workspace: string;
  readonly session?: string;
  readonly tool: string;
  /** Default: none. */
  readonly arguments?: unknown;
  /** Rules to try in addition, as lines. */
  readonly rules?: readonly string[];
}

/** The verdict on a call, and that of every layer by itself. */
export interface CallChecked {
  readonly action: RuleAction;
  readonly stage: string;
  readonly rule: string | null;
  readonly why: string;
  readonly remedy: string | null;
  readonly unchecked: readonly string[];
  /** What the call touches. */
  readonly uses: readonly {
    readonly type: "file" | "host" | "command" | "name";
    readonly key: string;
    readonly mode: "read" | "write";
    /** For a command: what its programs are known to do. */
    readonly effects: readonly string[];
  }[];
  readonly layers: readonly {
    readonly layer: string;
    readonly action: RuleAction | "none";
    readonly rule: string | null;
    readonly why: string;
  }[];
}

export interface SimulateRequest {
  /** One rule, or several on lines. */
  readonly rule: string;
  /** Default: all workspaces. */
  readonly workspace?: string;
  /** Default: 30. */
  readonly days?: number;
  /** Maximum number of examples. Default: 50. */
  readonly limit?: number;
}

/** What a rule would have changed. */
export interface SimulationReport {
  readonly rule: string;
  readonly sessions: number;
  readonly calls: number;
  readonly changed: number;
  readonly totals: readonly {
    readonly before: RuleAction;
    readonly after: RuleAction;
    readonly count: number;
  }[];
  readonly changes: readonly {
    readonly session: string;
    readonly call_id: string;
    readonly time: string;
    readonly tool: string;
    readonly call: string;
    readonly before: RuleAction;
    readonly after: RuleAction;
  }[];
  readonly omitted: number;
  readonly not_judged: Readonly<Record<"masked" | "incomplete" | "unavailable", number>>;
}

/** How far a simulation is. */
export interface SimulationProgress {
  /** Number of calls judged. */
  readonly calls: number;
  /** Number of calls of the period. */
  readonly of: number;
  /** Number of calls that would have had another verdict. */
  readonly changed: number;
}

export interface CostQuery {
  readonly workspace?: string;
  readonly agent?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Tokens and money: of requests by day, agent and model, and of results by day and tool. */
export interface MachineCost {
  readonly since: string;
  readonly until: string;
  readonly total: MachineUsage & {
    readonly requests: number;
    readonly calls: number;
    readonly result_tokens: number;
  };
  readonly requests: readonly (MachineUsage & {
    readonly day: string;
    readonly agent: string;
    readonly model: string;
    readonly requests: number;
  })[];
  readonly tools: readonly {
    readonly day: string;
    readonly tool: string;
    readonly calls: number;
    readonly errors: number;
    readonly result_tokens: number;
    readonly duration_ms: number;
  }[];
}

export interface UnusedQuery {
  readonly workspace: string;
  readonly days: number;
}

/** The tools of a workspace that no session of it used. */
export interface UnusedTools {
  readonly workspace: string;
  readonly definition_tokens: number;
  readonly tools: readonly {
    readonly tool: string;
    readonly source: string;
    readonly definition_tokens: number;
    /** Whether models see the definition without searching for it. */
    readonly shown: boolean;
  }[];
}
