import { statSync } from "node:fs";
import { dirname } from "node:path";
import { formatRule, parseRule, type Rule } from "@haft/core";
import { versionOf } from "../disk/file-version.ts";
import { findLanding } from "../disk/landing.ts";
import { noteOwnFile } from "../sandbox/own-files.ts";
import { appendLine } from "./append-line.ts";
import { makeDirectories } from "./make-directories.ts";
import { readSmallFile, replaceSmallFile } from "./small-file.ts";
import { storageError } from "./storage-error.ts";

/** A ruleset as plain text, one rule a line; comments and blank lines are the user's. */
export interface RuleFile {
  list(): readonly Rule[];
  add(rule: Rule): void;
  /** Takes the rule's lines out; false if there are none. */
  remove(rule: Rule): boolean;
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
    requireOwnPlace(path);
    try {
      makeDirectories(dirname(path), isPrivate ? 0o700 : 0o777);
      appendLine(path, line, isPrivate ? 0o600 : 0o666);
      noteOwnFile(path);
    } catch (error) {
      throw storageError(error, dirname(path));
    }
    known = undefined;
  };

  const remove = (rule: Rule): boolean => {
    const line = formatRule(rule);
    if (!list().some((present) => formatRule(present) === line)) return false;
    requireOwnPlace(path);
    try {
      const kept = (readSmallFile(path) ?? "")
        .split("\n")
        .filter((other) => !isLineOf(other, line));
      replaceSmallFile(path, kept.join("\n"), statSync(path).mode & 0o777);
      noteOwnFile(path);
    } catch (error) {
      throw storageError(error, dirname(path));
    }
    known = undefined;
    return true;
  };

  return { list, add, remove };
}

// A link in the workspace could make us write anywhere.
function requireOwnPlace(path: string): void {
  if (findLanding(path) === path) return;
  throw new Error(`${path} is reached through a link. Put the file itself there.`);
}

function isLineOf(line: string, rule: string): boolean {
  const content = line.trim();
  if (content === "" || content.startsWith("#")) return false;
  return formatRule(parseRule(content)) === rule;
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
