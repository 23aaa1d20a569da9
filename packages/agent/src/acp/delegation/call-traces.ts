/** What a call made of a text file. */
export interface TracedChange {
  /** Where it lies, links resolved. */
  readonly path: string;
  /** Absent where there was no file. */
  readonly oldText?: string | undefined;
  /** Empty where none is left. */
  readonly newText: string;
}

/** What calls leave behind on the computer that a client shows with them. */
export interface CallTraces {
  /** Notes a change that took effect. */
  noteChange(callId: string, change: TracedChange): void;
  /** Notes that a call's command runs in a terminal of the client. */
  noteTerminal(callId: string, terminalId: string): void;
  /** Is told of a terminal as soon as there is one. */
  onTerminal(listener: (callId: string, terminalId: string) => void): void;
  /** What the call changed, each file once; it is forgotten with that. */
  takeChanges(callId: string): readonly TracedChange[];
  /** Forgets what nobody asked for. */
  clear(): void;
}

/** Makes an empty book of traces. */
export function createCallTraces(): CallTraces {
  const changes = new Map<string, Map<string, TracedChange>>();
  let listener: ((callId: string, terminalId: string) => void) | undefined;
  return {
    noteChange: (callId, change) => {
      const ofCall = changes.get(callId) ?? new Map<string, TracedChange>();
      changes.set(callId, ofCall);
      const first = ofCall.get(change.path);
      ofCall.set(change.path, first === undefined ? change : { ...change, oldText: first.oldText });
    },
    noteTerminal: (callId, terminalId) => listener?.(callId, terminalId),
    onTerminal: (next) => {
      listener = next;
    },
    takeChanges: (callId) => {
      const ofCall = changes.get(callId)?.values() ?? [];
      const taken = [...ofCall].filter(({ oldText, newText }) => oldText !== newText);
      changes.delete(callId);
      return taken;
    },
    clear: () => changes.clear(),
  };
}
