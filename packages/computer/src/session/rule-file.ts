import { statSync } from "node:fs";
import { dirname } from "node:path";
import { formatRule, parseRule, type Rule } from "@haft/core";
import { versionOf } from "../disk/file-version.ts";
import { findLanding } from "../disk/landing.ts";
import { appendLine } from "./append-line.ts";
import { makeDirectories } from "./make-directories.ts";
import { readSmallFile } from "./small-file.ts";
import { storageError } from "./storage-error.ts";

/** A ruleset as plain text, one rule a line; comments and blank lines are the user's. */
export interface RuleFile {
  list(): readonly Rule[];
  add(rule: Rule): void;
}

/** Opens the ruleset at a path. A private one is for its owner only. */
export function openRuleFile(
  path: string,
  { isPrivate }: { readonly isPrivate: boolean },
): RuleFile {
  let known: { readonly version: string | undefined; readonly rules: readonly Rule[] } | undefined;

  const list = (): readonly Rule[] => {
    // Asked for with every call, so a look at the file must do unless it changed.
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    const version = found && versionOf(found);
    if (known === undefined || known.version !== version) {
      known = { version, rules: parseRules(readSmallFile(path) ?? "", path) };
    }
    return known.rules;
  };

  const add = (rule: Rule): void => {
    const line = toLine(rule);
    if (list().some((present) => formatRule(present) === line)) return;
    // A link in the workspace could make us write anywhere.
    if (findLanding(path) !== path) {
      throw new Error(`${path} is reached through a link. Put the file itself there.`);
    }
    try {
      makeDirectories(dirname(path), isPrivate ? 0o700 : 0o777);
      appendLine(path, line, isPrivate ? 0o600 : 0o666);
    } catch (error) {
      throw storageError(error, dirname(path));
    }
    known = undefined;
  };

  return { list, add };
}

function parseRules(text: string, path: string): readonly Rule[] {
  return text.split("\n").flatMap((line, index) => {
    const content = line.trim();
    if (content === "" || content.startsWith("#")) return [];
    try {
      return [parseRule(content)];
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${path}, line ${index + 1}: ${reason}`, { cause });
    }
  });
}

function toLine(rule: Rule): string {
  const line = formatRule(rule);
  const isOneLine = !/[\n\r]/u.test(line) && !line.startsWith("#");
  if (isOneLine && formatRule(parseRule(line)) === line) return line;
  throw new TypeError(`${JSON.stringify(line)} cannot be stored as a rule on one line.`);
}
