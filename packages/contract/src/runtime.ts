import type { ChangeHistory } from "./change-history.ts";
import type { FileSystem } from "./file-system.ts";
import type { JsonValue } from "./json-schema.ts";
import type { Net } from "./net.ts";
import type { Shell } from "./shell.ts";
import type { ToolCatalog } from "./tool-catalog.ts";

/** A question to the person, with optional answers to choose from. */
export interface Question {
  readonly question: string;
  readonly header?: string;
  readonly options?: readonly { readonly label: string; readonly description?: string }[];
  readonly multi_select?: boolean;
}

/** Values that live as long as the session, also between processes. */
export interface SessionState {
  get(key: string): Promise<JsonValue | undefined>;
  set(key: string, value: JsonValue): Promise<void>;
}

/** What a tool may know of the session it runs in. */
export interface RuntimeSession {
  readonly id: string;
  /** The workspace roots; relative paths start at the first. */
  readonly roots: readonly string[];
  readonly state: SessionState;
}

/** What a tool may ask of the host. */
export interface RuntimeHost {
  /** One array of answers per question. A headless host throws `headless`. */
  question(questions: readonly Question[]): Promise<string[][]>;
}

/** A sign of life from a running call; it also resets the call's time limit. */
export interface Progress {
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
  /** Words to say to a person who waits, as in a call by voice. */
  readonly filler?: string;
}

/** Everything that a tool can touch while it runs. There is no other way out. */
export interface Runtime {
  readonly callId: string;
  readonly fs: FileSystem;
  readonly shell: Shell;
  readonly net: Net;
  /** What this session's calls changed, so that it can be taken back. */
  readonly history: ChangeHistory;
  /** What the dialect asks of the tool beyond its arguments, such as limits of its own. */
  readonly settings: Readonly<Record<string, JsonValue>>;
  /** The tools from elsewhere, which a model may have to search for. */
  readonly tools: ToolCatalog;
  readonly session: RuntimeSession;
  readonly host: RuntimeHost;
  readonly signal: AbortSignal;
  progress(progress?: Progress): void;
}
