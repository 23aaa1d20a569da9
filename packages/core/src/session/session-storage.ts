import type { SessionState } from "@haft/contract";
import type { Rule } from "../rules/rule.ts";
import type { Journal } from "./journal.ts";

/** Holds what did not fit into a result. */
export interface Sidecars {
  /** Everything below it can be read by the session's tools. */
  readonly directory: string;
  /** Stores a whole output and returns its path. */
  write(callId: string, content: string | Uint8Array): Promise<string>;
  /** Stores an output that comes in parts. The file is made with the first of them. */
  open(callId: string): SidecarWriter;
}

/** Takes an output that comes in parts. */
export interface SidecarWriter {
  /** Resolves when more can be taken. */
  write(part: Uint8Array | string): Promise<void>;
  /** The path of the whole, complete. */
  end(): Promise<string>;
  /** Throws away what was written. */
  discard(): Promise<void>;
}

/** A rule as it is stored. */
export interface StoredRule extends Rule {
  /** Whether it came with the project and is not trusted: then it denies and asks only. */
  readonly isUntrusted?: boolean;
}

/** The rules a person stored by answering "always", and those that came with the project. */
export interface StoredRules {
  list(scope: "session" | "project"): readonly StoredRule[];
  add(scope: "session" | "project", rule: Rule): Promise<void>;
  /** Takes a rule away again; false if there is none like it. */
  remove(scope: "session" | "project", rule: Rule): Promise<boolean>;
}

/** What a session keeps: on disk it survives the process, in memory it does not. */
export interface SessionStorage {
  /** Unique on this computer. */
  readonly id: string;
  readonly name: string;
  readonly state: SessionState;
  readonly sidecars: Sidecars;
  readonly journal: Journal;
  readonly rules: StoredRules;
  /** Ends the session: sidecars go, what was recorded stays. */
  close(): Promise<void>;
}
