import { compileGlob } from "@haft/contract/internal";
import type { RuleAction } from "../rule.ts";
import type { ImportLocation } from "./anchor-rule.ts";
import { dropShadowed, type ReadEntry } from "./drop-shadowed.ts";
import { type ForeignTools, noteOnTool, permissionsOf, whyNoTool } from "./foreign-tool.ts";
import { fromCommandGlob } from "./from-command-glob.ts";
import {
  type ImportedEntry,
  type ImportedPattern,
  type ImportedRules,
  type Leaning,
  leaningOf,
} from "./imported-rules.ts";
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
 * Imports `permissions.allow`, `ask` and `deny` of Claude Code's settings. Permissions never grow and
 * restrictions never shrink. Entries that can't be converted are skipped and reported.
 */
export function fromClaudePermissions(settings: unknown, place?: ImportLocation): ImportedRules {
  const permissions = fieldOf(settings, "permissions");
  // The order in which Claude Code checks them: an allow is never an exception from a deny.
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
        ? { patterns: undefined, why: `a rule on ${name} can't distinguish its uses` }
        : { patterns: ["*"], note: "the rule applies to all uses of the tool" };
  }
}

function fromDomain(specifier: string, leaning: Leaning): ImportedPattern {
  const host = /^domain:((?:\*\.)?[\w-]+(?:\.[\w-]+)*|\*)$/u.exec(specifier)?.[1];
  if (host !== undefined) return { patterns: [host.toLowerCase()] };
  return leaning === "narrower"
    ? { patterns: undefined, why: "it names no host as domain:HOST" }
    : { patterns: ["*"], note: "it names no host, so the rule applies to all hosts" };
}

function fieldOf(value: unknown, name: string): unknown {
  const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return isObject ? (value as Record<string, unknown>)[name] : undefined;
}

/**
 * Converts a pattern in `.gitignore` style: `//` starts at the root of the disk, `~/` at home, `/` and
 * `./` at the project. Without a slash inside, it matches at every depth.
 */
function fromIgnorePattern(text: string, leaning: Leaning): ImportedPattern {
  const given = text.trim();
  if (/^\*{0,2}$/u.test(given)) return { patterns: ["**"] };
  if (given.startsWith("!")) return refuse("an exception can't be a rule of its own");
  if (/^(?:\.\/)?\.\.(?:\/|$)/u.test(given)) return refuse("it is outside the workspace");
  const anchored = anchor(given);
  const tree = anchored.endsWith("/") ? `${anchored}**` : anchored;
  // A directory there includes its content, and `/**` in Haft includes the directory itself.
  const pattern = leaning === "narrower" || tree.endsWith("/**") ? tree : `${tree}/**`;
  try {
    compileGlob(pattern);
    return { patterns: [pattern] };
  } catch {
    return leaning === "narrower"
      ? refuse("its pattern is invalid")
      : { patterns: ["**"], note: "its pattern is invalid, so the rule applies to all files" };
  }
}

function anchor(given: string): string {
  const literal = given.replaceAll(/[{},]/gu, "\\$&");
  if (literal.startsWith("//")) return literal.slice(1);
  if (literal.startsWith("~/")) return literal;
  if (literal.startsWith("./")) return literal.slice(2);
  if (literal.startsWith("/")) return literal.slice(1);
  return literal.replace(/\/$/u, "").includes("/") ? literal : `**/${literal}`;
}

function refuse(why: string): ImportedPattern {
  return { patterns: undefined, why };
}
