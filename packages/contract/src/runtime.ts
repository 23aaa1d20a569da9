import type { ChangeHistory } from "./change-history.ts";
import type { FileSystem } from "./file-system.ts";
import type { JsonValue } from "./json-schema.ts";
import type { Net } from "./net.ts";
import type { Shell } from "./shell.ts";
import type { ToolCatalog } from "./tool-catalog.ts";

/** A question to a person, with optional answers to choose from. */
export interface Question {
  readonly question: string;
  readonly header?: string;
  readonly options?: readonly { readonly label: string; readonly description?: string }[];
  readonly multi_select?: boolean;
}

/** Values that live as long as the session, even across processes. */
export interface SessionState {
  get(key: string): Promise<JsonValue | undefined>;
  set(key: string, value: JsonValue): Promise<void>;
}

/** The session that a tool runs in. */
export interface RuntimeSession {
  readonly id: string;
  /** The workspace roots; relative paths start at the first. */
  readonly roots: readonly string[];
  /** The repositories that roots are a part of. Only tools that require `{repository}` can read them. */
  readonly repositories?: readonly string[];
  readonly state: SessionState;
}

/** The host, as a tool can use it. */
export interface RuntimeHost {
  /** Returns one array of answers per question. A headless host throws `headless`. */
  question(questions: readonly Question[]): Promise<string[][]>;
}

/** A progress report of a running call. It also restarts the call's time limit. */
export interface Progress {
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
  /** A phrase to say to a waiting person, as in a voice call. */
  readonly filler?: string;
}

/** Everything that a tool can touch while it runs. */
export interface Runtime {
  readonly callId: string;
  readonly fs: FileSystem;
  readonly shell: Shell;
  readonly net: Net;
  /** The changes of this session's calls, so that they can be undone. */
  readonly history: ChangeHistory;
  /** Settings of the dialect for this tool, such as its limits. */
  readonly settings: Readonly<Record<string, JsonValue>>;
  /** The tools that are not built in, which a model may have to search for. */
  readonly tools: ToolCatalog;
  readonly session: RuntimeSession;
  readonly host: RuntimeHost;
  readonly signal: AbortSignal;
  progress(progress?: Progress): void;
}
