import { hash } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { versionOf } from "../disk/file-version.ts";
import { makeDirectories } from "../session/make-directories.ts";
import { type SessionOrigin, toWorkspaceId } from "../session/session-directory.ts";
import { readSmallFile, replaceSmallFile } from "../session/small-file.ts";
import { storageError } from "../session/storage-error.ts";
import type { ProjectItem, ProjectItemKind } from "./project-item.ts";

/** Which of a workspace's own files a person has trusted. Stored in the state directory. */
export interface ProjectTrust {
  /** The current answers; the same object until one of them changes. */
  current(): TrustAnswers;
  isTrusted(item: ProjectItem): boolean;
  /** Trusts exactly this content of this file. */
  trust(item: ProjectItem): void;
  /** Remembers not to ask the person about this content again. */
  decline(item: ProjectItem): void;
  /** Forgets all answers, or those about a path and everything below it, or about one content. */
  forget(which?: string | ProjectItem): readonly TrustEntry[];
  list(): readonly TrustEntry[];
  /** The content that was trusted last, if it was kept. */
  findTrusted(item: Pick<ProjectItem, "kind" | "path">): Uint8Array | undefined;
}

/** The trust answers at one moment. */
export interface TrustAnswers {
  find(item: ProjectItem): TrustAnswer | undefined;
  /** Whether a line of the project's rules file was trusted. */
  isRuleTrusted(line: string): boolean;
}

/** A person's answer about some content. */
export type TrustAnswer = "trusted" | "declined";

/** One answer. */
export interface TrustEntry {
  readonly answer: TrustAnswer;
  readonly kind: ProjectItemKind;
  readonly path: string;
  /** Hash of the content; for a rule, of its line. */
  readonly sha256: string;
  /** The line of a rule. */
  readonly rule?: string;
}

/** Where answers are stored. */
export interface TrustOrigin extends SessionOrigin {
  /** Whether everything counts as trusted, for this process only. */
  readonly trustsAll?: boolean;
}

// Branches that are checked out alternately do not ask each time.
const maxVersions = 8;
const maxKeptBytes = 256 * 1024;

/** Opens the trust answers of a workspace. Nothing is written before a person answers. */
export function openProjectTrust(origin: TrustOrigin): ProjectTrust {
  const { root, stateDirectory, trustsAll = false } = origin;
  const directory = join(stateDirectory, "trust", toWorkspaceId(root));
  const file = join(directory, "trusted.json");
  let known: { readonly version: string | undefined; readonly answers: Answers } | undefined;

  const current = (): Answers => {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    const version = found && versionOf(found);
    if (known === undefined || known.version !== version) {
      known = { version, answers: toAnswers(readEntries(file, root), trustsAll) };
    }
    return known.answers;
  };

  const store = (entries: readonly TrustEntry[]): void => {
    try {
      makeDirectories(directory, 0o700);
      replaceSmallFile(file, `${JSON.stringify({ version: 1, workspace: root, entries })}\n`);
    } catch (error) {
      throw storageError(error, directory);
    }
    known = undefined;
  };

  const answer = (item: ProjectItem, given: TrustAnswer): void => {
    const added = toEntries(item, given);
    const others = current().entries.filter((one) => !added.some((other) => isSame(one, other)));
    if (given === "trusted" && item.kind !== "rules" && item.content.length <= maxKeptBytes) {
      keep(added[0]?.sha256 as string, item.content);
    }
    const all = [...others, ...added];
    const kept = dropOldest(all);
    store(kept);
    discard(all.filter((one) => !kept.includes(one)));
  };

  const discard = (gone: readonly TrustEntry[]): void => {
    for (const { sha256 } of gone) rmSync(join(directory, sha256), { force: true });
  };

  const keep = (name: string, content: Uint8Array): void => {
    try {
      makeDirectories(directory, 0o700);
      replaceSmallFile(join(directory, name), content);
    } catch (error) {
      throw storageError(error, directory);
    }
  };

  return {
    current,
    isTrusted: (item) => current().find(item) === "trusted",
    trust: (item) => answer(item, "trusted"),
    decline: (item) => answer(item, "declined"),
    forget: (which) => {
      const { entries } = current();
      const gone = entries.filter(createFilter(which));
      if (gone.length === 0) return [];
      store(entries.filter((one) => !gone.includes(one)));
      discard(gone);
      return gone;
    },
    list: () => current().entries,
    findTrusted: ({ kind, path }) => {
      const latest = current().entries.findLast(
        (one) => one.answer === "trusted" && one.kind === kind && one.path === path,
      );
      const content = latest && readSmallFile(join(directory, latest.sha256));
      return content === undefined ? undefined : Buffer.from(content);
    },
  };
}

interface Answers extends TrustAnswers {
  readonly entries: readonly TrustEntry[];
}

function toAnswers(entries: readonly TrustEntry[], trustsAll: boolean): Answers {
  const answers = new Map(entries.map((entry) => [keyOf(entry), entry.answer]));
  const rules = new Set(
    entries.flatMap(({ answer, rule }) => (answer === "trusted" && rule !== undefined ? rule : [])),
  );
  return {
    entries,
    isRuleTrusted: (line) => trustsAll || rules.has(line),
    find: (item) => {
      if (trustsAll) return "trusted";
      const given = toEntries(item, "trusted").map((entry) => answers.get(keyOf(entry)));
      const [first] = given;
      return given.every((one) => one === first) ? first : undefined;
    },
  };
}

function toEntries({ kind, path, content }: ProjectItem, answer: TrustAnswer): TrustEntry[] {
  if (kind !== "rules") return [{ answer, kind, path, sha256: hash("sha256", content) }];
  const lines = Buffer.from(content).toString("utf8").split("\n");
  return lines
    .filter((line) => line !== "")
    .map((rule) => ({ answer, kind, path, sha256: hash("sha256", rule), rule }));
}

function keyOf({ kind, path, sha256 }: TrustEntry): string {
  return JSON.stringify([kind, path, sha256]);
}

function createFilter(which: string | ProjectItem | undefined): (entry: TrustEntry) => boolean {
  if (which === undefined) return () => true;
  if (typeof which === "string") {
    return ({ path }) => path === which || path.startsWith(`${which}/`);
  }
  const keys = new Set(toEntries(which, "trusted").map(keyOf));
  return (entry) => keys.has(keyOf(entry));
}

function isSame(one: TrustEntry, other: TrustEntry): boolean {
  return keyOf(one) === keyOf(other);
}

function dropOldest(entries: readonly TrustEntry[]): readonly TrustEntry[] {
  const counts = new Map<string, number>();
  return entries
    .toReversed()
    .filter(({ kind, path }) => {
      const key = JSON.stringify([kind, path]);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return kind === "rules" || count <= maxVersions;
    })
    .toReversed();
}

// An unreadable file trusts nothing. Two workspaces whose directories map to the same name share no
// answers.
function readEntries(file: string, root: string): readonly TrustEntry[] {
  const text = readSmallFile(file);
  if (text === undefined) return [];
  try {
    const { version, workspace, entries } = JSON.parse(text) as Stored;
    return version === 1 && workspace === root && Array.isArray(entries) ? entries : [];
  } catch {
    return [];
  }
}

interface Stored {
  readonly version: number;
  readonly workspace: string;
  readonly entries: readonly TrustEntry[];
}
