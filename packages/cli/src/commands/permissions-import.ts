import {
  formatRule,
  type ImportedRules,
  type ImportRemark,
  type Rule,
  toVisibleLine,
} from "@haft/core";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openComputer } from "../open-workspace.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { foreignPrograms, readForeignSettings } from "../options/foreign-settings.ts";
import { readScope, ruleFileOf } from "../options/rule-scope.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

/** `haft permissions import`: takes over the rules of another program, having shown them. */
export async function importRules(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const [name, file, extra] = input.positionals;
  if (extra !== undefined) throw new UsageError(`One file at a time; what is ${extra}?`);
  const program = readProgram(name);
  const scope = readScope(input);
  const computer = openComputer(options, io);
  const workspace = computer.roots[0] as string;
  const found = readForeignSettings(program, { file, workspace }, io);
  const imported = program.read(
    found.map(({ settings }) => settings),
    { root: workspace, home: computer.home },
  );
  const stored = computer.openSession(options.session).rules;
  const present = new Set(stored.list(scope).map(formatRule));
  const added = imported.rules.filter((rule) => !present.has(formatRule(rule)));
  const path = ruleFileOf(scope, computer, options);
  const sources = found.map((one) => one.path);
  if (!options.json) show({ imported, added, sources, path }, io);
  const isStored =
    input.options["dry-run"] !== true && added.length > 0 && (await isAgreed(options, io));
  if (isStored) for (const rule of added) await stored.add(scope, rule);
  if (options.json) {
    const rules = imported.rules.map(formatRule);
    const { skipped, notes } = imported;
    printJson({ sources, scope, path, rules, skipped, notes, stored: isStored }, io);
  } else if (isStored) io.out(`Stored in ${path}.\n`);
  else io.out("Nothing was stored.\n");
  return 0;
}

function readProgram(name: string | undefined): (typeof foreignPrograms)[string] {
  const found = Object.hasOwn(foreignPrograms, name ?? "") && foreignPrograms[name ?? ""];
  if (found) return found;
  const known = Object.keys(foreignPrograms).join(" or ");
  throw new UsageError(
    name === undefined ? `Whose rules? ${known}` : `${JSON.stringify(name)} is not ${known}.`,
  );
}

interface Shown {
  readonly imported: ImportedRules;
  readonly added: readonly Rule[];
  readonly sources: readonly string[];
  readonly path: string;
}

function show({ imported, added, sources, path }: Shown, io: Io): void {
  const { rules, skipped, notes } = imported;
  const print = (line: string): void => io.out(`${toVisibleLine(line)}\n`);
  print(`From ${sources.join(", ")}:`);
  if (rules.length + skipped.length === 0) print("  no rules");
  for (const rule of rules) {
    print(`  ${formatRule(rule)}${added.includes(rule) ? "" : `    (already in ${path})`}`);
  }
  const remark = ({ entry, why }: ImportRemark): void => print(`  ${entry}: ${why}`);
  if (notes.length > 0) print("Not quite what they said:");
  for (const note of notes) remark(note);
  if (skipped.length > 0) print("Left out:");
  for (const one of skipped) remark(one);
}

// Whoever is there has seen them by now.
async function isAgreed(options: CommonOptions, io: Io): Promise<boolean> {
  if (options.headless || options.yes) return true;
  const answer = await io.readLine("Store these? [y/n] ", io.signal);
  return /^y(?:es)?$/iu.test(answer?.trim() ?? "");
}
