// The values of the API about sessions on the server's machine, under the API's own names.

/** Tokens and money of requests to models, as providers reported them. */
export interface MachineUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  /** Null if a provider did not report it. */
  readonly cost: number | null;
}

/** A session of an agent, a client or a command. */
export interface MachineSession {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  readonly workspace_exists: boolean;
  readonly title: string | null;
  readonly agent: string | null;
  /** The MCP client that opened it, as its name says. */
  readonly client: string | null;
  /** `live`: a process that runs has it open. */
  readonly state: "live" | "ended";
  /** The session whose agent started it. */
  readonly parent: string | null;
  readonly forked_from: string | null;
  /** Null without calls and messages. */
  readonly started_at: string | null;
  readonly last_used_at: string;
  readonly calls: number;
  readonly errors: number;
  readonly changed_files: number;
  /** Estimated. */
  readonly result_tokens: number;
  /** Null without an agent. */
  readonly usage: MachineUsage | null;
  /** Text around the match of a search. */
  readonly snippet: string | null;
}

export interface SessionQuery {
  readonly workspace?: string;
  /** Name of an agent or of an MCP client. */
  readonly agent?: string;
  /** Only sessions with failed calls. */
  readonly failed?: boolean;
  readonly state?: "live" | "ended";
  /** A parent's ID: only the sessions of its subagents. Default: sessions without a parent. */
  readonly parent?: string;
  readonly since?: string;
  readonly until?: string;
  readonly query?: string;
  readonly limit: number;
  readonly continuation_token?: string;
}

export interface SessionPage {
  readonly sessions: readonly MachineSession[];
  readonly has_more: boolean;
  readonly continuation_token: string | null;
}

/** The directories that sessions worked in, most recently used first. */
export interface Workspaces {
  readonly workspaces: readonly {
    readonly path: string;
    readonly exists: boolean;
    readonly sessions: number;
    readonly last_used_at: string;
  }[];
  /** The agents and MCP clients that worked in them, by name. */
  readonly agents: readonly string[];
}

/** What was decided about a call before it ran. */
export interface MachinePassage {
  readonly action: "allow" | "ask" | "deny";
  readonly rule: string | null;
  readonly scope: string | null;
  readonly watched: boolean;
  readonly reviewed: boolean;
  readonly answer: string | null;
}

/** A call in a list. */
export interface ListedMachineCall {
  /** Unique on this machine. */
  readonly id: number;
  /** As the client named it. It may recur. */
  readonly call_id: string;
  readonly session: string;
  /** The call that made this one. */
  readonly parent: number | null;
  readonly parent_call_id: string | null;
  /** The session of the subagent that the call started. */
  readonly child_session: string | null;
  readonly tool: string;
  readonly name: string;
  readonly state: string;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly asked_ms: number;
  readonly queued_ms: number;
  /** The beginning of the arguments, in one line. */
  readonly title: string;
  /** The first lines of the result or error. */
  readonly preview: string;
  readonly error_code: string | null;
  readonly isolation: string | null;
  /** Null if the call was refused before, or recorded by an earlier version. */
  readonly passage: MachinePassage | null;
  /** The first of `changed_count`. */
  readonly changed_files: readonly string[];
  readonly changed_count: number;
  readonly sidecar: string | null;
  readonly result_tokens: number;
}

export interface CallQuery {
  /** Only these. */
  readonly id?: readonly number[];
  readonly state?: readonly string[];
  readonly tool?: readonly string[];
  readonly limit: number;
  readonly continuation_token?: string;
}

export interface CallPage {
  readonly calls: readonly ListedMachineCall[];
  readonly has_more: boolean;
  readonly continuation_token: string | null;
}

/** A whole call. */
export interface MachineCall extends ListedMachineCall {
  readonly arguments: unknown;
  readonly dialect: string;
  readonly result_text: string;
  readonly result: unknown;
  readonly diffs: readonly { readonly path: string | null; readonly diff: string }[];
  readonly sidecars: readonly { readonly name: string; readonly bytes: number }[];
  /** Whether its changes stand and can be undone. */
  readonly can_undo: boolean;
  /** Whether it undid something that can be redone. */
  readonly can_redo: boolean;
}

/** Which calls and messages a timeline has. A filter other than `query` leaves out messages. */
export interface TimelineQuery {
  readonly state?: readonly string[];
  readonly tool?: readonly string[];
  /** Only calls that changed files. */
  readonly changed?: boolean;
  /** A text in names, arguments, first lines of results, and messages. */
  readonly query?: string;
}

/**
 * The calls and messages of a session and of its subagents as columns, in the order of reading: what a
 * call made follows it. Index `n` of each column is about the same call or message.
 */
export interface MachineTimeline {
  readonly started_at: string | null;
  readonly sessions: readonly string[];
  readonly tools: readonly string[];
  readonly states: readonly string[];
  /** ID of the call, or `at` of the message. */
  readonly id: readonly number[];
  /** Index in `sessions`. */
  readonly session: readonly number[];
  /** Index of the call that made it, or -1. */
  readonly parent: readonly number[];
  /** Index in `tools`, or -1 for a message. */
  readonly tool: readonly number[];
  /** Index in `states`: the state of the call, or the type of the message. */
  readonly state: readonly number[];
  /** Since `started_at`. */
  readonly start_ms: readonly number[];
  readonly duration_ms: readonly number[];
  readonly asked_ms: readonly number[];
  readonly queued_ms: readonly number[];
  /** Number of changed files. */
  readonly changed: readonly number[];
  /** The calls that run now. */
  readonly running: readonly {
    readonly session: string;
    readonly call_id: string;
    readonly name: string;
    readonly started_at: string;
  }[];
  /** Number of calls and messages that are left out because there are too many. */
  readonly omitted: number;
}

export interface MessageQuery {
  readonly after: number;
  readonly limit: number;
}

/** What was said in a session: by a person, a model or Haft. */
export interface MachineMessage {
  readonly at: number;
  readonly time: string;
  readonly type: string;
  readonly text: string;
  readonly agent?: string;
  readonly model?: string;
  readonly usage?: Partial<MachineUsage>;
  /** The call IDs of the calls that a model requested. */
  readonly calls?: readonly string[];
  readonly reason?: string;
  readonly error?: string;
  /** The media types of attached files. */
  readonly files?: readonly string[];
}

export interface MessagePage {
  readonly messages: readonly MachineMessage[];
  readonly has_more: boolean;
  readonly continuation_token: number | null;
}

/** Which call to undo or redo. */
export interface ChangeRequest {
  /** Default: the last one. To redo: the call that undid something. */
  readonly call?: number;
}

/** What an undo, or the redo of one, would change. */
export interface UndoPreview {
  readonly undone: UndoneChanges["undone"];
}

export interface UndoneChanges {
  readonly undone: readonly {
    readonly path: string;
    readonly action: string;
    readonly diff?: string;
  }[];
  readonly message: string;
  /** The call that did it. Redo takes its ID. */
  readonly call: number | null;
  readonly call_id: string;
}

/** Why changes can't be undone. Nothing was changed. */
export interface ChangeConflict {
  readonly detail: string;
  readonly path: string | null;
  /** The later calls of the session that changed the same path. */
  readonly since: readonly {
    readonly call_id: string;
    readonly tool: string;
    readonly title: string;
    readonly at: string;
  }[];
}

export interface ForkRequest {
  readonly name?: string;
  /** The last message to keep. Default: all. */
  readonly at?: number;
}

export interface Fork {
  readonly id: string;
  readonly name: string;
  readonly forked_from: string;
  readonly entries: number;
}
