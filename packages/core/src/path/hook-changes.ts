import type { PathState } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { FileChange } from "../session/journal.ts";
import type { Call } from "./call.ts";
import type { CallContext } from "./context.ts";
import { openToRead } from "./open-to-read.ts";

const maxFiles = 50;
const maxFileBytes = 4 * 1024 * 1024;

/**
 * Remembers the files that a call changed, before hooks see its result. Returns a function that records
 * what hooks changed in them, such as a formatter, as changes of the call: they are undone with it.
 */
export async function followHookChanges(
  call: Call,
  context: CallContext,
): Promise<() => Promise<void>> {
  const paths = (call.changedFiles ?? []).slice(0, maxFiles);
  const read = (): Promise<PathState[]> =>
    Promise.all(paths.map((path) => readState(path, call, context)));
  const before = await read();
  return async () => {
    const after = await read();
    const changes = paths.flatMap((path, at): FileChange[] => {
      const [old, now] = [before[at], after[at]];
      if (old?.kind !== "file" || now?.kind !== "file" || isSame(old, now)) return [];
      const callId = context.changesOf?.callId ?? call.owner.id;
      return [{ callId, path, before: old, after: now }];
    });
    if (changes.length === 0) return;
    try {
      const recording = await context.journal.record(changes);
      await recording?.done();
    } catch (error) {
      const why = toErrorMessage(error);
      context.events.warn(`What hooks changed in ${paths.join(", ")} can't be undone: ${why}`);
    }
  };
}

// What is not a file of moderate size is left alone, as is what can't be read.
async function readState(
  path: string,
  { grant }: Call,
  { computer }: CallContext,
): Promise<PathState> {
  try {
    const files = openToRead(grant, computer);
    const { kind, size, mode } = await files.stat(path);
    if (kind !== "file" || size > maxFileBytes) return { kind: "absent" };
    return { kind, mode, content: await files.read(path) };
  } catch {
    return { kind: "absent" };
  }
}

type FileState = Extract<PathState, { kind: "file" }>;

function isSame({ content: one }: FileState, { content: other }: FileState): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
