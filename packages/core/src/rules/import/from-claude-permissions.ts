import type { RuleAction } from "../rule.ts";
import { dropShadowed, type ReadEntry } from "./drop-shadowed.ts";
import { type ForeignTools, noteOnTool, permissionsOf, whyNoTool } from "./foreign-tool.ts";
import { fromCommandGlob } from "./from-command-glob.ts";
import { fromIgnorePattern } from "./from-ignore-pattern.ts";
import {
  type ImportedEntry,
  type ImportedPattern,
  type ImportedRules,
  type Leaning,
  leaningOf,
} from "./imported-rules.ts";
import type { ImportPlace } from "./place-rule.ts";
import { toEntry } from "./to-entry.ts";

const editing = { allowed: ["edit", "multi_edit"], heldBack: ["fs.write"], about: "path" } as const;
const listing = { allowed: ["glob"], about: "path" } as const;

const tools: ForeignTools = {
  Bash: { allowed: ["bash"], about: "command" },
  BashOutput: { allowed: ["job_output"] },
  KillShell: { allowed: ["job_stop"] },
  KillBash: { allowed: ["job_stop"] },
  Read: { allowed: ["read"], heldBack: ["fs.read"], about: "path" },
  Edit: editing,
  MultiEdit: editing,
  Write: { allowed: ["write"], about: "path" },
  Grep: { allowed: ["grep"], about: "path" },
  Glob: listing,
  LS: listing,
  WebFetch: { allowed: ["web_fetch"], about: "host" },
  WebSearch: { allowed: ["web_search"] },
  Task: { allowed: ["task"] },
  Agent: { allowed: ["task"] },
  TodoRead: { allowed: ["todo"] },
  TodoWrite: { allowed: ["todo"] },
  Skill: { allowed: ["skill"] },
  AskUserQuestion: { allowed: ["question"] },
};

/**
 * Reads `permissions.allow`, `ask` and `deny` of Claude Code's settings. What is allowed never
 * grows, what is denied or asked about never shrinks; what can't be told is left out and said.
 */
export function fromClaudePermissions(settings: unknown, place?: ImportPlace): ImportedRules {
  const permissions = fieldOf(settings, "permissions");
  // The order in which Claude Code asks them: no allow is an exception from a deny there.
  const lists: readonly RuleAction[] = ["deny", "ask", "allow"];
  return dropShadowed(
    lists.flatMap((action) => {
      const list = fieldOf(permissions, action);
      return Array.isArray(list) ? list.map((entry) => readEntry(entry, action)) : [];
    }),
    place,
  );
}

function readEntry(given: unknown, action: RuleAction): ReadEntry {
  const text = typeof given === "string" ? given.trim() : undefined;
  const [, name, specifier] = /^([\w*-]+)(?:\((.*)\))?$/su.exec(text ?? "") ?? [];
  const read: ImportedEntry =
    name === undefined
      ? { rules: undefined, why: "it is not TOOL or TOOL(PATTERN)" }
      : readRule(name, specifier, action);
  return { entry: text ?? JSON.stringify(given), read };
}

function readRule(name: string, specifier: string | undefined, action: RuleAction): ImportedEntry {
  const leaning = leaningOf(action);
  const permissions = permissionsOf(name, tools, leaning);
  if (permissions.length === 0) return { rules: undefined, why: whyNoTool(name, action) };
  return toEntry(
    { permissions, note: noteOnTool(name, leaning) },
    readSpecifier(name, specifier?.trim(), leaning),
    action,
  );
}

function readSpecifier(
  name: string,
  specifier: string | undefined,
  leaning: Leaning,
): ImportedPattern {
  if (specifier === undefined || /^\**$/u.test(specifier)) return { patterns: ["*"] };
  switch (tools[name]?.about) {
    case "command":
      return fromCommandGlob(specifier.replace(/:\*$/u, " *"), leaning);
    case "path":
      return fromIgnorePattern(specifier, leaning);
    case "host":
      return fromDomain(specifier, leaning);
    default:
      return leaning === "narrower"
        ? { patterns: undefined, why: `a rule on ${name} can't tell its uses apart` }
        : { patterns: ["*"], note: "the rule holds for all of its uses" };
  }
}

function fromDomain(specifier: string, leaning: Leaning): ImportedPattern {
  const host = /^domain:((?:\*\.)?[\w-]+(?:\.[\w-]+)*|\*)$/u.exec(specifier)?.[1];
  if (host !== undefined) return { patterns: [host.toLowerCase()] };
  return leaning === "narrower"
    ? { patterns: undefined, why: "it names no host: domain:HOST" }
    : { patterns: ["*"], note: "it names no host, so the rule holds for all" };
}

function fieldOf(value: unknown, name: string): unknown {
  const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return isObject ? (value as Record<string, unknown>)[name] : undefined;
}
