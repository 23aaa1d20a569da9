import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import type { AssistantContent } from "ai";
import type { TurnEnd, Usage } from "../loop/agent-event.ts";
import type { PromptPart } from "../loop/prompt-part.ts";

/** Facts about a thread, the stored conversation of a session. */
export interface ThreadFacts {
  /** The session's id. */
  readonly id: string;
  /** The session's name. */
  readonly name: string;
  /** The first root of the workspace. */
  readonly workspace: string;
  /** ID of the thread that started this one, or that it was forked from. */
  readonly parent?: string | undefined;
  /** Whether it is left out of lists and searches. */
  readonly isOpaque?: boolean | undefined;
}

/** An entry of a thread. */
export type ThreadEntry =
  | { readonly kind: "user"; readonly content: readonly PromptPart[] }
  /** A message to the model that no person wrote. */
  | { readonly kind: "notice"; readonly text: string }
  | {
      readonly kind: "assistant";
      /** In the AI SDK's format: text, reasoning with provider data, calls. */
      readonly content: Exclude<AssistantContent, string>;
      readonly agent: string;
      readonly model: string;
      readonly usage?: Usage | undefined;
    }
  /** The result of a call as the model saw it. The recorder stores the full result. */
  | {
      readonly kind: "result";
      readonly callId: string;
      readonly name: string;
      readonly output: AiSdkModelOutput;
      /** Whether the model sees it only until the end of the turn. */
      readonly isEphemeral?: boolean | undefined;
    }
  /** A summary that replaces everything before it. */
  | { readonly kind: "summary"; readonly text: string }
  | { readonly kind: "turn-end"; readonly reason: TurnEnd; readonly error?: string | undefined };

/** An entry with its number and time. */
export interface StoredEntry {
  /** Ascending, from 1 on. */
  readonly at: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly entry: ThreadEntry;
}

/** What is known of an entry without reading it. */
export interface EntryOutline {
  readonly at: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly kind: Exclude<ThreadEntry["kind"], "result">;
  /** Number of calls that the model requested. */
  readonly calls: number;
  /** Whether there is something to read: a text, or a turn that ended early. */
  readonly isReadable: boolean;
}

/** A stored conversation that outlives the process. */
export interface Thread {
  readonly facts: ThreadFacts;
  readonly title: string | undefined;
  /** Appends an entry. It is stored when this returns. */
  append(entry: ThreadEntry): StoredEntry;
  /**
   * Returns the entries since the last summary, oldest first: the latest that fit into about `characters`
   * characters, from the beginning of a turn on, but always the whole last turn.
   * A turn that is far too long begins with one of its later answers.
   */
  latest(characters: number): readonly StoredEntry[];
  /** Iterates over all entries, oldest first, from a number on. */
  entries(from?: number): Iterable<StoredEntry>;
  setTitle(title: string): void;
  /** Closes the thread, so that another process can continue it. */
  close(): void;
}
