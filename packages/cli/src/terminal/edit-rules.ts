import { parseRule, type Rule } from "@haft/core";
import { formatRule, toVisibleLine } from "@haft/core/internal";
import type { Io } from "../io.ts";

/**
 * Lets the person edit rules line by line. An empty line drops a rule; anything but a valid rule that
 * allows something is asked for again. Returns `undefined` when input ended.
 */
export async function editRules(
  rules: readonly Rule[],
  io: Io,
  signal: AbortSignal,
): Promise<readonly Rule[] | undefined> {
  const edited: Rule[] = [];
  for (const rule of rules) {
    const given = await editRule(formatRule(rule), io, signal);
    if (given === undefined) return undefined;
    if (given !== "none") edited.push(given);
  }
  return edited;
}

async function editRule(
  line: string,
  io: Io,
  signal: AbortSignal,
): Promise<Rule | "none" | undefined> {
  io.error(`${toVisibleLine(`  instead of ${line} (empty line: store nothing)`)}\n`);
  for (;;) {
    // A line with hidden characters cannot be edited as it is shown.
    const shown = toVisibleLine(line) === line ? line : "";
    const given = await io.readLine("  store: ", signal, { initial: shown });
    if (given === undefined) return undefined;
    if (given.trim() === "") return "none";
    const rule = readAllow(given);
    if (typeof rule !== "string") return rule;
    io.error(`  ${toVisibleLine(rule)}\n`);
  }
}

function readAllow(line: string): Rule | string {
  try {
    const rule = parseRule(line);
    return rule.action === "allow" ? rule : "The rule must allow something.";
  } catch (error) {
    return (error as Error).message;
  }
}
