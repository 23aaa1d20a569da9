import { createHmac, randomBytes } from "node:crypto";
import { type FSWatcher, linkSync, readdirSync, rmSync, statSync, watch } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { isPlainObject } from "@haft/contract/internal";
import { isSystemError } from "../disk/system-error.ts";
import { identifyProcess, isRunning, type ProcessIdentity } from "../locks/process-identity.ts";
import { makeDirectories } from "../session/make-directories.ts";
import { readSmallFile, replaceSmallFile, syncPath } from "../session/small-file.ts";
import type {
  InboxEntry,
  StoredDecision,
  StoredEnd,
  StoredQuestion,
  StoredRun,
} from "./inbox-item.ts";

/** A question without what the inbox adds. */
export type NewQuestion = Omit<StoredQuestion, "version" | "id" | "createdAt" | "user">;

/** The calls of this user that wait for a person on this machine. */
export interface SessionInbox {
  /** Stores a question durably. */
  add(question: NewQuestion): StoredQuestion;
  /** Returns the IDs of all questions. */
  ids(): string[];
  /** Returns all questions, the oldest first. */
  list(): InboxEntry[];
  find(id: string): InboxEntry | undefined;
  /** Finds a question of an equal call that was not run, and whose process has ended. */
  findOrphan(key: string): InboxEntry | undefined;
  /** Records a decision. Returns false if there is one already, which counts. */
  decide(id: string, decision: NewDecision): boolean;
  /** Waits for the decision. At the deadline it is `expired`. */
  whenDecided(id: string, signal: AbortSignal): Promise<StoredDecision>;
  /** Makes this process the one that waits for the answer. */
  hold(id: string): void;
  /** Returns whether this process may use the decision. That is so once for each question. */
  claim(id: string): boolean;
  /** Stores the result of the call. */
  end(id: string, result: StoredEnd["result"]): void;
  /** Returns a signature of a text that only processes of this user can make. */
  sign(text: string): string;
}

interface StoredKey {
  readonly version: 1;
  readonly key: string;
}

/** A decision without what the inbox adds. */
export type NewDecision = Omit<StoredDecision, "version" | "at">;

const idForm = /^[0-9a-f]{32}$/u;
const retentionMs = 7 * 24 * 60 * 60 * 1000;
const pollMs = 1_000;

/**
 * Opens the inbox of a state directory. Each question is a directory of small files, of which each is created
 * once: a second decision or a second run fails to create its file, whichever process tries.
 */
export function openSessionInbox(stateDirectory: string): SessionInbox {
  const directory = join(stateDirectory, "inbox");
  const at = (id: string, file: string): string => join(directory, id, file);
  const hold = (id: string): void => {
    replaceSmallFile(at(id, "holder.json"), toJson({ version: 1, process: identifyProcess() }));
  };

  const find = (id: string): InboxEntry | undefined => {
    const question = idForm.test(id) ? read<StoredQuestion>(at(id, "question.json")) : undefined;
    if (question === undefined) return undefined;
    const decision = read<StoredDecision>(at(id, "decision.json"));
    const end = read<StoredEnd>(at(id, "end.json"));
    const run = read<StoredRun>(at(id, "run.json"));
    const holder = read<Pick<StoredRun, "version" | "process">>(at(id, "holder.json"));
    const state = toState(question, decision);
    const isHeld = holder !== undefined && runs(holder.process);
    return { question, decision, end, state, progress: toProgress(run, end), isHeld };
  };
  const ids = (): string[] => namesIn(directory).filter((name) => idForm.test(name));
  const list = (): InboxEntry[] =>
    ids()
      .flatMap((id) => find(id) ?? [])
      .sort(({ question: one }, { question: other }) =>
        `${one.createdAt}${one.id}` < `${other.createdAt}${other.id}` ? -1 : 1,
      );
  const decide = (id: string, decision: NewDecision): boolean =>
    putOnce(at(id, "decision.json"), { version: 1, ...decision, at: now() });
  const findDecision = (id: string, deadline: number): StoredDecision | undefined => {
    if (Date.now() >= deadline) {
      decide(id, { answer: "expired", reason: undefined, by: "haft", via: "deadline" });
    }
    return read<StoredDecision>(at(id, "decision.json"));
  };

  return {
    add: (given) => {
      removeOld(directory);
      const id = randomBytes(16).toString("hex");
      const question: StoredQuestion = {
        ...{ version: 1, id, createdAt: now(), user: currentUser() },
        ...given,
      };
      makeDirectories(join(directory, id), 0o700);
      hold(id);
      replaceSmallFile(at(id, "question.json"), toJson(question));
      syncPath(directory);
      return question;
    },
    ids,
    list,
    find,
    findOrphan: (key) =>
      list().find(
        ({ question, state, progress, isHeld }) =>
          question.key === key &&
          question.call !== undefined &&
          (state === "waiting" || state === "answered") &&
          progress === "waiting" &&
          !isHeld,
      ),
    decide,
    whenDecided: async (id, signal) => {
      const deadline = Date.parse(find(id)?.question.deadlineAt ?? now());
      const changes = watchDirectory(join(directory, id), signal);
      try {
        for (;;) {
          const decision = findDecision(id, deadline);
          if (decision !== undefined) return decision;
          await changes.next();
          signal.throwIfAborted();
        }
      } finally {
        changes.close();
      }
    },
    hold,
    claim: (id) =>
      putOnce(at(id, "run.json"), { version: 1, process: identifyProcess(), at: now() }),
    end: (id, result) => void putOnce(at(id, "end.json"), { version: 1, at: now(), result }),
    sign: (text) => {
      const file = join(directory, "key.json");
      const find = (): string | undefined => read<StoredKey>(file)?.key;
      if (find() === undefined) {
        makeDirectories(directory, 0o700);
        putOnce(file, { version: 1, key: randomBytes(32).toString("hex") });
      }
      const key = find();
      if (key === undefined) throw new Error(`${file} can't be read. Remove it.`);
      return createHmac("sha256", key).update(text).digest("hex");
    },
  };
}

function toState(
  { deadlineAt }: StoredQuestion,
  decision: StoredDecision | undefined,
): InboxEntry["state"] {
  if (decision?.answer === "expired" || decision?.answer === "cancelled") return decision.answer;
  if (decision !== undefined) return "answered";
  return Date.now() < Date.parse(deadlineAt) ? "waiting" : "expired";
}

function toProgress(
  run: StoredRun | undefined,
  end: StoredEnd | undefined,
): InboxEntry["progress"] {
  if (end !== undefined) return "ended";
  if (run === undefined) return "waiting";
  return runs(run.process) ? "running" : "interrupted";
}

// A process in another container can't be checked: nothing is taken from it.
function runs(process: ProcessIdentity): boolean {
  return isRunning(process) !== false;
}

/** Resolves `next` when something in the directory may have changed, at least once a second. */
function watchDirectory(
  path: string,
  signal: AbortSignal,
): { next(): Promise<void>; close(): void } {
  let changed = Promise.withResolvers<void>();
  const wake = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const timer = setInterval(wake, pollMs);
  signal.addEventListener("abort", wake, { once: true });
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(path, wake).on("error", () => {});
  } catch {
    // The system watches too much already. The timer is enough.
  }
  return {
    next: () => changed.promise,
    close: () => {
      clearInterval(timer);
      watcher?.close();
      signal.removeEventListener("abort", wake);
    },
  };
}

/** Creates a file with its content in one step and flushes it. Returns false if it exists. */
function putOnce(path: string, value: object): boolean {
  const temporary = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    replaceSmallFile(temporary, toJson(value));
    linkSync(temporary, path);
    syncPath(join(path, ".."));
    return true;
  } catch (error) {
    if (isSystemError(error) && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Reads one of our files. `undefined` if there is none, or if another version of Haft wrote it. */
function read<T extends { readonly version: 1 }>(path: string): T | undefined {
  const text = readSmallFile(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) && value.version === 1 ? (value as unknown as T) : undefined;
  } catch {
    return undefined;
  }
}

/** The name of the user of this process. */
export function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run with a user that it has no name for.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

function removeOld(directory: string): void {
  const before = Date.now() - retentionMs;
  for (const id of namesIn(directory).filter((name) => idForm.test(name))) {
    const path = join(directory, id);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) >= before) continue;
    const question = read<StoredQuestion>(join(path, "question.json"));
    if (question !== undefined && Date.parse(question.deadlineAt) >= before) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return [];
    throw error;
  }
}

function toJson(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function now(): string {
  return new Date().toISOString();
}
