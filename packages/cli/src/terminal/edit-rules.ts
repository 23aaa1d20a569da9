import { formatRule, parseRule, type Rule, toVisibleLine } from "@haft/core";
import type { Io } from "../io.ts";

/**
 * Has the person change rules line by line. An empty line leaves one out; what is not a rule that
 * allows something is asked for again. `undefined` when input ended.
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
  io.error(`${toVisibleLine(`  instead of ${line} (an empty line: nothing)`)}\n`);
  for (;;) {
    // What can't be shown as it is can't be changed as it is.
    const shown = toVisibleLine(line) === line ? line : "";
    const given = await io.readLine("  store: ", signal, shown);
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
    return rule.action === "allow" ? rule : "This has to be a rule that allows something.";
  } catch (error) {
    return (error as Error).message;
  }
}
