import type { CallState, Cleanup, JsonValue, Progress, ToolResult } from "@haft/contract";
import { messageOf } from "../message-of.ts";

/** What every event says about its call. */
export interface CallEvent {
  readonly session: string;
  readonly callId: string;
  /** The name as the model wrote it. */
  readonly name: string;
  /** The native id, once the name resolved. */
  readonly tool: string | undefined;
  readonly arguments: JsonValue;
  readonly state: CallState;
  /** What was put right in the arguments before they were validated. */
  readonly repairs: readonly string[];
}

/** The events of a session and what each carries. */
export interface EventMap {
  /** All checks are passed and the tool is about to run. */
  "tool:pre": CallEvent;
  /** The call ended with output. */
  "tool:post": CallEvent & { readonly result: ToolResult };
  /** The call ended without. */
  "tool:error": CallEvent & { readonly result: ToolResult };
  /** The call entered another of its six states. */
  "tool:state": CallEvent;
  "tool:progress": CallEvent & { readonly progress: Progress };
  /** Other tools are shown from the next turn on. */
  "tools:changed": { readonly session: string };
  /** Something beside the calls went wrong and was survived. */
  "session:warning": { readonly session: string; readonly message: string };
}

/** Hears one kind of event. What it throws is reported as a warning and harms no call. */
export type Listener<Name extends keyof EventMap> = (event: EventMap[Name]) => void;

/** Who listens to what. */
export class Events {
  readonly #listeners = new Map<keyof EventMap, Set<Listener<never>>>();
  readonly #session: string;

  constructor(session: string) {
    this.#session = session;
  }

  on<Name extends keyof EventMap>(name: Name, listener: Listener<Name>): Cleanup {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener as Listener<never>);
    return () => {
      listeners.delete(listener as Listener<never>);
    };
  }

  /** Whether an event is worth building. */
  hears(name: keyof EventMap): boolean {
    return (this.#listeners.get(name)?.size ?? 0) > 0;
  }

  emit<Name extends keyof EventMap>(name: Name, event: EventMap[Name]): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        const answer: unknown = (listener as Listener<Name>)(event);
        // A rejection that nobody handles would end the process.
        if (answer instanceof Promise) answer.catch((error) => this.#complain(name, error));
      } catch (error) {
        this.#complain(name, error);
      }
    }
  }

  warn(message: string): void {
    this.emit("session:warning", { session: this.#session, message });
  }

  #complain(name: keyof EventMap, error: unknown): void {
    if (name !== "session:warning") this.warn(`A listener to ${name} threw: ${messageOf(error)}`);
  }
}
