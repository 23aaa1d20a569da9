/** The change of a text file by a call. */
export interface TracedChange {
  /** Its path with links resolved. */
  readonly path: string;
  /** Text before. Absent if there was no file. */
  readonly oldText?: string | undefined;
  /** Text after. Empty if the file was deleted. */
  readonly newText: string;
}

/** File changes and terminals of calls, for display in a client. */
export interface CallTraces {
  /** Records a change. */
  noteChange(callId: string, change: TracedChange): void;
  /** Records the client's terminal that runs a call's command. */
  noteTerminal(callId: string, terminalId: string): void;
  /** Calls the listener when a terminal is created. */
  onTerminal(listener: (callId: string, terminalId: string) => void): void;
  /** Returns and removes the changes of a call, one per file. */
  takeChanges(callId: string): readonly TracedChange[];
  /** Removes everything that was not read. */
  clear(): void;
}

/** Creates an empty call-trace store. */
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
