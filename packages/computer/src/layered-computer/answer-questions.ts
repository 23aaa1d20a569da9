import type { RunScope, SidecarWriter } from "@haft/core";
import type { ScopeQuestions } from "./messages.ts";

/** Callbacks for what happens during a request. */
export interface RequestEvents {
  /** Called with the output of a command. */
  output?(text: string): void;
  /** Called with what a file held before its first change. */
  base(path: string, content: Uint8Array): void;
}

/** Answers questions about a request from the scope of its call. */
export function answerQuestions(scope: RunScope, events: RequestEvents): ScopeQuestions {
  const { grant } = scope;
  const filters: ReturnType<RunScope["secrets"]["createFilter"]>[] = [];
  let open: SidecarWriter | undefined;
  const sidecar = (): SidecarWriter => {
    open ??= scope.openSidecar();
    return open;
  };
  return {
    judgeReading: (paths) =>
      paths.map((path) => [grant.mayRead(path), scope.isDenied(path, "read")] as const),
    mayWrite: (path) => grant.mayWrite(path),
    mayReach: (host) => grant.mayReach(host),
    mayRun: (argv) => grant.mayRun(argv),
    has: (capability) => grant.has(capability),
    isWriteDenied: (path) => scope.isDenied(path, "write"),
    isNamed: (path) => scope.isNamed(path),
    isChangeDenied: (path) => scope.isChangeDenied(path),
    changed: (path) => scope.changed(path),
    base: (path, content) => events.base(path, content),
    confined: (isolation) => scope.confined(isolation),
    commandEnded: (changes) => scope.commandEnded(changes),
    warn: (message) => scope.warn(message),
    output: (text) => events.output?.(text),
    hide: (text) => scope.secrets.hide(text),
    openFilter: () => filters.push(scope.secrets.createFilter()) - 1,
    filter: (filter, part) => filters[filter]?.write(part) ?? "",
    endFilter: (filter) => filters[filter]?.end() ?? "",
    writeSidecar: (part) => sidecar().write(part),
    endSidecar: () => sidecar().end(),
    discardSidecar: () => sidecar().discard(),
  };
}
