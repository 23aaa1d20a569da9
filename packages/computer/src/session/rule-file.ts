import { lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { toErrorMessage } from "@haft/contract/internal";
import { parseRule, type Rule, type StoredRule } from "@haft/core";
import { formatRule, isStorable } from "@haft/core/internal";
import { versionOf } from "../disk/file-version.ts";
import { findLanding } from "../disk/landing.ts";
import { readUntrustedFile } from "../disk/read-untrusted-file.ts";
import { noteOwnFile } from "../sandbox/own-files.ts";
import type { ProjectItem } from "../trust/project-item.ts";
import type { ProjectTrust, TrustAnswers } from "../trust/project-trust.ts";
import { appendLine } from "./append-line.ts";
import { makeDirectories } from "./make-directories.ts";
import { readSmallFile, replaceSmallFile } from "./small-file.ts";
import { storageError } from "./storage-error.ts";

/** A ruleset as plain text, one rule per line; comments and blank lines belong to the user. */
export interface RuleFile {
  list(): readonly StoredRule[];
  add(rule: Rule): void;
  /** Removes the rule's lines; false if there are none. */
  remove(rule: Rule): boolean;
}

/** The owner of the rules: this user, in the state directory, or a project. */
export type RuleFileOwner = "user" | { readonly root: string; readonly trust: ProjectTrust };

/** Opens the ruleset at a path. The user's own is a private file. */
export function openRuleFile(path: string, owner: RuleFileOwner): RuleFile {
  const project = owner === "user" ? undefined : owner;
  let known: { readonly version: string | undefined; readonly rules: readonly Rule[] } | undefined;
  let marked: MarkedRules | undefined;

  const read = (): readonly Rule[] => {
    // Read with every call, so an unchanged file costs only a stat.
    const version = project === undefined ? findVersion(path) : findProjectVersion(path);
    if (known === undefined || known.version !== version || version === unknownVersion) {
      const text = project === undefined ? readSmallFile(path) : readProjectRules(path, project);
      known = { version, rules: parseRules(text ?? "", path) };
    }
    return known.rules;
  };

  const list = (): readonly StoredRule[] => {
    const rules = read();
    if (project === undefined || rules.length === 0) return rules;
    const answers = project.trust.current();
    if (marked?.source !== rules || marked.answers !== answers) {
      marked = { source: rules, answers, rules: rules.map((rule) => mark(rule, answers)) };
    }
    return marked.rules;
  };

  const add = (rule: Rule): void => {
    const line = toLine(rule);
    if (!read().some((present) => formatRule(present) === line)) {
      requireOwnPlace(path);
      try {
        makeDirectories(dirname(path), project === undefined ? 0o700 : 0o777);
        appendLine(path, line, project === undefined ? 0o600 : 0o666);
        noteOwnFile(path);
      } catch (error) {
        throw storageError(error, dirname(path));
      }
      known = undefined;
    }
    // A person asked for this very rule. The other lines are still the repository's.
    project?.trust.trust(toItem(path, line));
  };

  const remove = (rule: Rule): boolean => {
    const line = formatRule(rule);
    if (!read().some((present) => formatRule(present) === line)) return false;
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
    // If it comes back with a pull, the person is asked again.
    project?.trust.forget(toItem(path, line));
    return true;
  };

  return { list, add, remove };
}

interface MarkedRules {
  readonly source: readonly Rule[];
  readonly answers: TrustAnswers;
  readonly rules: readonly StoredRule[];
}

function mark(rule: Rule, answers: TrustAnswers): StoredRule {
  return answers.isRuleTrusted(formatRule(rule)) ? rule : { ...rule, isUntrusted: true };
}

function toItem(path: string, line: string): ProjectItem {
  return { kind: "rules", path, content: Buffer.from(line) };
}

function findVersion(path: string): string | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found && versionOf(found);
}

// The directory counts too: as a link it could lead to a file that a command can write.
function findProjectVersion(path: string): string | undefined {
  const directory = lstatSync(dirname(path), { throwIfNoEntry: false });
  if (directory === undefined) return undefined;
  return directory.isDirectory() ? findVersion(path) : unknownVersion;
}

const unknownVersion = "unknown";
const maxProjectBytes = 256 * 1024;

// An unreadable file might have denied something: that is an error, not an empty file.
function readProjectRules(path: string, { root }: { readonly root: string }): string | undefined {
  const read = readUntrustedFile(path, { within: root, maxBytes: maxProjectBytes });
  if (read.fault === undefined) return read.bytes.toString("utf8");
  if (read.isMissing) return undefined;
  throw new Error(`${path} ${read.fault}. Replace it with a regular file, or remove it.`);
}

// A link in the workspace could make us write anywhere.
function requireOwnPlace(path: string): void {
  if (findLanding(path) === path) return;
  throw new Error(`${path} is reached through a link. Replace the link with the file itself.`);
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
      const reason = toErrorMessage(cause);
      throw new Error(`${path}, line ${index + 1}: ${reason}`, { cause });
    }
  });
}

function toLine(rule: Rule): string {
  const line = formatRule(rule);
  if (isStorable(rule)) return line;
  throw new TypeError(`${JSON.stringify(line)} can't be stored: a rule must fit on one line.`);
}
