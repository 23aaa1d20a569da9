import type { CallState, Cleanup, JsonValue, Progress, ToolResult } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";

/** The call of an event. */
export interface CallEvent {
  readonly session: string;
  readonly callId: string;
  /** The name as the model wrote it. */
  readonly name: string;
  /** The native ID, if the name was resolved. */
  readonly tool: string | undefined;
  /** ID of the call whose program makes this one, if it is not the model. */
  readonly parentId?: string;
  readonly arguments: JsonValue;
  readonly state: CallState;
  /** Repairs that were made to the arguments before validation. */
  readonly repairs: readonly string[];
}

/** The events of a session with their payloads. */
export interface EventMap {
  /** The call has passed all checks and is about to run. */
  "tool:pre": CallEvent;
  /** The call succeeded. */
  "tool:post": CallEvent & { readonly result: ToolResult };
  /** The call failed. */
  "tool:error": CallEvent & { readonly result: ToolResult };
  /** The call changed its state. */
  "tool:state": CallEvent;
  "tool:progress": CallEvent & { readonly progress: Progress };
  /** The shown tools change with the next step. */
  "tools:changed": { readonly session: string };
  /** The session was closed or suspended. */
  "session:closed": { readonly session: string };
  /** A problem outside of the calls that did not stop the session. */
  "session:warning": { readonly session: string; readonly message: string };
}

/** Listens to one kind of event. An exception is reported as a warning and does not affect the call. */
export type Listener<Name extends keyof EventMap> = (event: EventMap[Name]) => void;

/** The listeners of a session. */
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

  /** Tells whether an event has listeners, so that it is worth building. */
  hears(name: keyof EventMap): boolean {
    return (this.#listeners.get(name)?.size ?? 0) > 0;
  }

  emit<Name extends keyof EventMap>(name: Name, event: EventMap[Name]): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        const answer: unknown = (listener as Listener<Name>)(event);
        // An unhandled rejection would end the process.
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
    if (name !== "session:warning")
      this.warn(`A listener for ${name} threw: ${toErrorMessage(error)}`);
  }
}
