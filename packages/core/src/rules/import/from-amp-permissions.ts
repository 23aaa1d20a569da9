import { isPlainObject } from "@haft/contract/internal";
import type { RuleAction } from "../rule.ts";
import type { ImportLocation } from "./anchor-rule.ts";
import { dropShadowed, type ReadEntry } from "./drop-shadowed.ts";
import {
  type ForeignTool,
  type ForeignTools,
  noteOnTool,
  permissionsOf,
  whyNoTool,
} from "./foreign-tool.ts";
import { fromAmpCondition } from "./from-amp-condition.ts";
import { fromCommandGlob } from "./from-command-glob.ts";
import {
  type ImportedEntry,
  type ImportedPattern,
  type ImportedRules,
  type Leaning,
  leaningOf,
} from "./imported-rules.ts";
import { toEntry } from "./to-entry.ts";

const editing: ForeignTool = {
  allowed: ["edit", "multi_edit"],
  heldBack: ["edit", "multi_edit", "apply_patch"],
  about: "path",
};
const todo: ForeignTool = { allowed: ["todo"] };

const tools: ForeignTools = {
  Bash: { allowed: ["bash"], about: "command" },
  shell_command: { allowed: ["bash"], about: "command" },
  Read: { allowed: ["read"], about: "path" },
  edit_file: editing,
  create_file: { allowed: ["write"], about: "path" },
  delete_file: { allowed: ["delete_file"], about: "path" },
  undo_edit: { allowed: ["undo_edit"], about: "path" },
  format_file: { allowed: ["format_file"], about: "path" },
  Grep: { allowed: ["grep"], about: "path" },
  glob: { allowed: ["glob"] },
  read_web_page: { allowed: ["web_fetch"], about: "host" },
  web_search: { allowed: ["web_search"] },
  Task: { allowed: ["task"] },
  task_list: todo,
  todo_read: todo,
  todo_write: todo,
};

/**
 * Imports `amp.permissions` of Amp's settings and the older `amp.commands.allowlist`. Permissions never
 * grow and restrictions never shrink. Entries that can't be converted are skipped and reported.
 */
export function fromAmpPermissions(settings: unknown, place?: ImportLocation): ImportedRules {
  if (!isPlainObject(settings)) return dropShadowed([]);
  const list = settings["amp.permissions"];
  const commands = settings["amp.commands.allowlist"];
  const entries = [
    ...(Array.isArray(list) ? list.map(readEntry) : []),
    ...(Array.isArray(commands) ? commands.map(readCommand) : []),
    ...(settings["amp.dangerouslyAllowAll"] === true ? [allowAll] : []),
  ];
  return dropShadowed(entries, place);
}

const allowAll: ReadEntry = {
  entry: "amp.dangerouslyAllowAll",
  read: { rules: undefined, why: "no rule allows everything; --yes answers every question" },
};

const actions: Readonly<Record<string, RuleAction>> = {
  allow: "allow",
  ask: "ask",
  reject: "deny",
};

function readEntry(given: unknown): ReadEntry {
  const entry = JSON.stringify(given);
  if (!isPlainObject(given) || typeof given.tool !== "string") {
    return { entry, read: skip("it names no tool") };
  }
  if (given.action === "delegate") return { entry, read: delegated(given.to) };
  const action = actions[String(given.action)];
  if (action === undefined) return { entry, read: skip("it has no known action") };
  return { entry, read: readRule(given.tool, given, action) };
}

function delegated(program: unknown): ImportedEntry {
  const name = typeof program === "string" ? program : "FILE";
  return skip(`a rule can't delegate to a program; use --watchdog ${name} to check every call`);
}

function readRule(
  tool: string,
  { matches, context }: Readonly<Record<string, unknown>>,
  action: RuleAction,
): ImportedEntry {
  const leaning = leaningOf(action);
  const permissions = permissionsOf(tool, tools, leaning);
  if (permissions.length === 0) return skip(whyNoTool(tool, action));
  if (context !== undefined && leaning === "narrower") {
    return skip(`a rule can't apply only in a ${String(context)}`);
  }
  return toEntry(
    { permissions, note: noteOnTool(tool, leaning) },
    readMatches(tool, matches, leaning),
    action,
  );
}

function readMatches(tool: string, matches: unknown, leaning: Leaning): ImportedPattern {
  if (matches === undefined) return { patterns: ["*"] };
  const conditions = isPlainObject(matches) ? Object.entries(matches) : [["?", matches] as const];
  const about = tools[tool]?.about;
  const main = conditions.find(([key]) => about !== undefined && keys[about].includes(key));
  // All conditions must hold, so leaving one out would widen the entry.
  if (main === undefined || (conditions.length > 1 && leaning === "narrower")) {
    const odd = conditions.find((one) => one !== main)?.[0];
    return leaning === "narrower"
      ? { patterns: undefined, why: `a rule on ${tool} can't look at ${odd ?? "nothing"}` }
      : { patterns: ["*"], note: "the rule applies to all uses of the tool" };
  }
  const pattern = fromAmpCondition(main[1], about ?? "command", leaning);
  if (conditions.length === 1 || pattern.patterns === undefined) return pattern;
  return { ...pattern, note: "the rule checks only one of its conditions" };
}

const keys: Readonly<Record<NonNullable<ForeignTool["about"]>, readonly string[]>> = {
  command: ["cmd", "command"],
  path: ["path"],
  host: ["url"],
};

function readCommand(given: unknown): ReadEntry {
  const read =
    typeof given === "string"
      ? toEntry({ permissions: ["bash"] }, fromCommandGlob(given, "narrower"), "allow")
      : skip("it is not a command");
  return { entry: JSON.stringify(given), read };
}

function skip(why: string): ImportedEntry {
  return { rules: undefined, why };
}
