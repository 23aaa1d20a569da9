import type { Grant } from "@haft/contract";
import type { FileChange, Journal, RunScope } from "@haft/core";
import { readUntrustedFile } from "../disk/read-untrusted-file.ts";
import { quietScope } from "../shell/quiet-scope.ts";
import type { RemoteRequest, ScopeQuestions } from "./messages.ts";
import type { ReadingJudge } from "./reading-judge.ts";

/** Asks Haft about a request, and waits for the answer. */
export type Ask = <Method extends keyof ScopeQuestions>(
  method: Method,
  ...args: Parameters<ScopeQuestions[Method]>
) => Awaited<ReturnType<ScopeQuestions[Method]>>;

/** What the scope of a request is made of. */
export interface RemoteScopeContext {
  readonly ask: Ask;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly reading: ReadingJudge;
}

/** Opens the scope of a request. Haft decides everything; this process only knows where paths lead. */
export function openRemoteScope(
  { callId, session, places, fileRules }: RemoteRequest,
  { ask, journal, signal, reading }: RemoteScopeContext,
): RunScope {
  const grant: Grant = {
    mayRead: (path) => reading.judge(path)[0],
    mayWrite: (path) => ask("mayWrite", path),
    mayReach: (host) => ask("mayReach", host),
    mayRun: (argv) => ask("mayRun", argv),
    has: (capability) => ask("has", capability),
    places,
  };
  return {
    callId,
    session,
    grant,
    journal,
    signal,
    isDenied: (path, mode) =>
      mode === "read" ? reading.judge(path)[1] : ask("isWriteDenied", path),
    isNamed: (path) => ask("isNamed", path),
    isChangeDenied: (path) => ask("isChangeDenied", path),
    changed: (path) => ask("changed", path),
    confined: (isolation) => ask("confined", isolation),
    ...quietScope,
    fileRules: () => fileRules,
    commandEnded: (changes) => ask("commandEnded", changes),
    warn: (message) => ask("warn", message),
    openSidecar: () => ({
      write: async (part) => ask("writeSidecar", part),
      end: async () => ask("endSidecar"),
      discard: async () => ask("discardSidecar"),
    }),
    secrets: {
      hide: (text) => ask("hide", text),
      createFilter: () => {
        const filter = ask("openFilter");
        return {
          write: (part) => ask("filter", filter, part),
          end: () => ask("endFilter", filter),
        };
      },
      // Haft does these with the result.
      hideInData: (data) => data,
      hideKnown: (data) => data,
      namesIn: () => [],
      restore: (data) => data,
    },
  };
}

const maxBaseBytes = 4 * 1024 * 1024;

/**
 * Reports what each file held before its first change, so that changes of others can be merged later.
 * `seen` holds the paths of former changes.
 */
export function reportBases(journal: Journal, seen: Set<string>, ask: Ask): Journal {
  const look = ({ path, before, moved }: FileChange): void => {
    if (seen.has(path)) return;
    seen.add(path);
    if (before.kind !== "file") return;
    const content = moved === undefined ? before.content : readPresent(path);
    if (content !== undefined && content.length <= maxBaseBytes) ask("base", path, content);
  };
  return {
    latest: (path) => journal.latest(path),
    record: (changes) => {
      for (const change of changes) look(change);
      return journal.record(changes);
    },
  };
}

/** What is at a path before it is moved away. */
function readPresent(path: string): Uint8Array | undefined {
  return readUntrustedFile(path, { within: "/", maxBytes: maxBaseBytes }).bytes;
}
