import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { readCount } from "../../options/read-count.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { isKnown, type SessionRecords, withRecords } from "./open-records.ts";

/** `haft sessions fork` */
export async function forkSession(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const [wanted = options.session, name] = input.positionals;
  const made = await withRecords(options, io, (records) =>
    forkRecords({ source: records.find(wanted), name, at: readCount(input, "at") }, records, {
      options,
      io,
    }),
  );
  if (options.json) printJson(made, io);
  else {
    io.out(`Forked ${wanted} as ${made.name}, with ${made.entries} entries.\n`);
    io.out(`Continue it with: haft agent --session ${made.name}\n`);
  }
  return 0;
}

/** What to fork. */
export interface ForkChoice {
  /** ID of the session. */
  readonly source: string;
  /** Name of the fork. Default: a free one. */
  readonly name: string | undefined;
  /** The last entry to keep. Default: all. */
  readonly at: number | undefined;
}

/** A session that was forked. */
export interface MadeFork {
  readonly id: string;
  readonly name: string;
  readonly forked_from: string;
  readonly entries: number;
}

/** Forks a session into the workspace that the options name. */
export function forkRecords(
  { source, name: given, at: wantedAt }: ForkChoice,
  records: Pick<SessionRecords, "threads">,
  { options, io }: { readonly options: CommonOptions; readonly io: Io },
): MadeFork {
  const at = requireEntry(source, records, wantedAt);
  const locate = (name: string) =>
    openComputer({ ...options, session: name }, io).openSession(name);
  const isFree = (name: string): boolean => !isKnown(locate(name).id, records, io);
  const name = given ?? findFreeName(source, isFree);
  if (!isFree(name)) {
    throw new UsageError(`A session ${JSON.stringify(name)} already exists. Choose another name.`);
  }
  const storage = locate(name);
  const workspace = openComputer(options, io).roots[0] as string;
  const fork = records.threads.fork(source, { id: storage.id, name, workspace }, at);
  storage.touch();
  return { id: fork.id, name, forked_from: source, entries: fork.entries };
}

function requireEntry(
  id: string,
  { threads }: Pick<SessionRecords, "threads">,
  at: number | undefined,
): number | undefined {
  const thread = threads.find(id);
  if (thread === undefined) {
    throw new UsageError(
      `Session ${id} has no agent messages to fork. To list its calls: haft sessions show`,
    );
  }
  if (at === undefined || at <= thread.entries) return at;
  throw new UsageError(`--at ${at}: the thread has only ${thread.entries} entries.`);
}

const maxNameLength = 64;

function findFreeName(source: string, isFree: (name: string) => boolean): string {
  const begin = source.slice(source.lastIndexOf("/") + 1);
  for (let number = 1; ; number++) {
    const end = number === 1 ? "-fork" : `-fork-${number}`;
    const name = `${begin.slice(0, maxNameLength - end.length)}${end}`;
    if (isFree(name)) return name;
  }
}
