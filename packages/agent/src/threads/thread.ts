import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import type { AssistantContent } from "ai";
import type { TurnEnd, Usage } from "../loop/agent-event.ts";
import type { PromptPart } from "../loop/prompt-part.ts";

/** What a thread is: what was said and done in a session. */
export interface ThreadFacts {
  /** The session's id. */
  readonly id: string;
  /** The session's name. */
  readonly name: string;
  /** The first root of the workspace. */
  readonly workspace: string;
  /** The thread that this one was spawned by or forked from. */
  readonly parent?: string | undefined;
  /** Whether it is left out of lists and searches. */
  readonly isOpaque?: boolean | undefined;
}

/** One thing that was said or done. */
export type ThreadEntry =
  | { readonly kind: "user"; readonly content: readonly PromptPart[] }
  /** What the model is told without a person having said it. */
  | { readonly kind: "notice"; readonly text: string }
  | {
      readonly kind: "assistant";
      /** As the AI SDK has it: text, reasoning with what providers need of it, calls. */
      readonly content: Exclude<AssistantContent, string>;
      readonly agent: string;
      readonly model: string;
      readonly usage?: Usage | undefined;
    }
  /** What a call came back with, as the model saw it. The envelope is the recorder's. */
  | {
      readonly kind: "result";
      readonly callId: string;
      readonly name: string;
      readonly output: AiSdkModelOutput;
      /** It is seen until the turn's end only. */
      readonly isEphemeral?: boolean | undefined;
    }
  /** Stands for everything before it. */
  | { readonly kind: "summary"; readonly text: string }
  | { readonly kind: "turn-end"; readonly reason: TurnEnd; readonly error?: string | undefined };

/** An entry where it stands. */
export interface StoredEntry {
  /** Ascending, from 1 on. */
  readonly at: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly entry: ThreadEntry;
}

/** A record that outlives the process. */
export interface Thread {
  readonly facts: ThreadFacts;
  readonly title: string | undefined;
  /** Puts an entry at the end. It outlives the process from here on. */
  append(entry: ThreadEntry): StoredEntry;
  /**
   * The entries from the last summary on, oldest first; of those the latest that have about so many
   * characters together, from the beginning of a turn on, but the last turn wholly.
   * A turn that is far too long for that begins with one of its later answers.
   */
  latest(characters: number): readonly StoredEntry[];
  /** All entries, oldest first, from a place on. */
  entries(from?: number): Iterable<StoredEntry>;
  setTitle(title: string): void;
  /** Lets go of the thread, so that another process can go on with it. */
  close(): void;
}
