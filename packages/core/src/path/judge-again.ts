import { ToolError } from "@haft/contract";
import type { FileVersion } from "../hosts/host.ts";
import type { Call } from "./call.ts";
import type { CallContext } from "./context.ts";
import { available } from "./steps/available.ts";
import { capability } from "./steps/capability.ts";
import { hookQuestion } from "./steps/hooks.ts";
import { rules } from "./steps/rules.ts";
import { watchdog } from "./steps/watchdog.ts";

/** What a call was judged by when a person was asked about it. */
export interface AskedState {
  readonly reason: string;
  readonly files: readonly FileVersion[];
}

/**
 * Judges a call again whose answer came through an inbox, by the rules and files as they are now. Throws the
 * refusal, or a conflict if the person was asked about something else.
 */
export async function judgeAgain(call: Call, context: CallContext, was: AskedState): Promise<void> {
  context.rulesChanged();
  call.askReason = undefined;
  call.isWatched = false;
  call.watchdogRule = undefined;
  for (const step of [available, capability, rules, watchdog, hookQuestion]) {
    await step(call, context);
  }
  const { askReason } = call;
  if (askReason !== undefined && askReason !== was.reason) {
    throw changedMeanwhile(call, `it now needs approval for another reason (${askReason})`);
  }
  const changed = findChanged(was.files, context);
  if (changed !== undefined) throw changedMeanwhile(call, `${changed} has changed`);
}

/** Returns the first of these files that has changed since. */
export function findChanged(
  files: readonly FileVersion[],
  context: CallContext,
): string | undefined {
  return files.find(({ path, version }) => versionOf(path, context) !== version)?.path;
}

function changedMeanwhile({ name }: Call, what: string): ToolError {
  return new ToolError(
    "conflict",
    `${name} was not run: since the user was asked, ${what}. Check it and call again.`,
  );
}

const maxFiles = 100;
const maxWordLength = 1_000;

/**
 * Returns the versions of the files that a call names: its own, those in the literal words of its commands, such
 * as a script, and those that redirections write. Files outside the grant are left out.
 */
export function findFileVersions(call: Call, context: CallContext): readonly FileVersion[] {
  const { computer } = context;
  if (computer.versionOf === undefined) return [];
  const landings = call.subjects
    .flatMap(({ type, key, reading, cwd }): (string | undefined)[] => {
      if (type === "file") return [key];
      return [
        ...(reading?.writes.map(({ path }) => path) ?? []),
        ...(reading?.commands.flatMap((command) => findNamed(command, cwd)) ?? []),
      ];
    })
    .flatMap((path) => (path === undefined ? [] : [computer.identify(path)]))
    .filter((path) => call.grant.mayRead(path));
  return versionsOf(landings, context);
}

/** Returns the versions of files, without repetitions. */
export function versionsOf(paths: readonly string[], context: CallContext): readonly FileVersion[] {
  if (context.computer.versionOf === undefined) return [];
  const known = [...new Set(paths)].slice(0, maxFiles);
  return known.map((path) => ({ path, version: versionOf(path, context) }));
}

type Command = NonNullable<Call["subjects"][number]["reading"]>["commands"][number];

// Words that name no file are harmless here: that there is no file is a version, too.
function findNamed({ words, wrappers, cwd: own }: Command, cwd: string | undefined): string[] {
  const directory = own ?? cwd ?? "";
  return [...wrappers.flat(), ...words]
    .flatMap((word) => (word === undefined ? [] : [word, word.slice(word.indexOf("=") + 1)]))
    .filter((word) => word !== "" && word.length <= maxWordLength && !/[\0\n]/u.test(word))
    .map((word) => (word.startsWith("/") || directory === "" ? word : `${directory}/${word}`));
}

function versionOf(path: string, { computer }: CallContext): string | null {
  return computer.versionOf?.(path) ?? null;
}
