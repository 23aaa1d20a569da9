import { toRealPath } from "@haft/computer/internal";
import { isInside } from "@haft/contract/internal";
import { formatRule, type ImportedRules, type ImportRemark } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openComputer } from "../open-workspace.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { foreignPrograms, readForeignSettings } from "../options/foreign-settings.ts";
import { readScope, ruleFileOf } from "../options/rule-scope.ts";
import { choosePrinter } from "../terminal/choose-printer.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

/** `haft permissions import`: shows the rules of another program and stores them. */
export async function importRules(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const [name = "", file] = input.positionals;
  const program = readProgram(name);
  const scope = readScope(input);
  const computer = openComputer(options, io);
  const workspace = computer.roots[0] as string;
  const found = readForeignSettings(program, { file, workspace }, io);
  const paths = { root: workspace, home: computer.home };
  const imported = program.read(
    found.map(({ settings }) => settings),
    paths,
  );
  const stored = computer.openSession(options.session).rules;
  const listed = stored.list(scope);
  const trusted = new Set(listed.filter((rule) => rule.isUntrusted !== true).map(formatRule));
  const fresh = imported.rules.filter((rule) => !trusted.has(formatRule(rule)));
  // Settings in the workspace are untrusted: their `allow` rules need a person's approval.
  const own = found.filter((one) => !isInWorkspace(one.path, workspace));
  const ownRules = new Set(
    program
      .read(
        own.map(({ settings }) => settings),
        paths,
      )
      .rules.map(formatRule),
  );
  const isAsked = options.yes || !options.headless;
  const added = fresh.filter(
    (rule) => isAsked || rule.action !== "allow" || ownRules.has(formatRule(rule)),
  );
  const left = fresh.length - added.length;
  const path = ruleFileOf(scope, computer, options);
  const sources = found.map((one) => one.path);
  const present = new Set(listed.map(formatRule));
  const isDry = input.options["dry-run"] === true;
  const asks = !isDry && !options.yes && !options.headless;
  show({ imported, present, sources, path }, choosePrinter({ ...options, asks }, io));
  const isStored = !isDry && added.length > 0 && (!asks || (await isAgreed(io)));
  if (isStored) for (const rule of added) await stored.add(scope, rule);
  if (left > 0) {
    io.error(
      `haft: ${left} rules that allow something were not stored, because they come from files of the workspace. To store them too, add --yes\n`,
    );
  }
  if (options.json) {
    const rules = imported.rules.map(formatRule);
    const { skipped, notes } = imported;
    printJson({ sources, scope, path, rules, skipped, notes, stored: isStored }, io);
  } else if (isStored) io.out(`Stored in ${path}.\n`);
  else io.out("Nothing was stored.\n");
  return 0;
}

function isInWorkspace(path: string, workspace: string): boolean {
  return [path, toRealPath(path)].some((one) => isInside(workspace, one));
}

function readProgram(name: string): (typeof foreignPrograms)[string] {
  const found = Object.hasOwn(foreignPrograms, name) && foreignPrograms[name];
  if (found) return found;
  const known = Object.keys(foreignPrograms).join(" or ");
  throw new UsageError(`PROGRAM is ${known}, not ${JSON.stringify(name)}.`);
}

interface Shown {
  readonly imported: ImportedRules;
  /** The rules that are already stored. */
  readonly present: ReadonlySet<string>;
  readonly sources: readonly string[];
  readonly path: string;
}

function show({ imported, present, sources, path }: Shown, print: (line: string) => void): void {
  const { rules, skipped, notes } = imported;
  print(`From ${sources.join(", ")}:`);
  if (rules.length + skipped.length === 0) print("  no rules");
  for (const rule of rules) {
    const line = formatRule(rule);
    print(`  ${line}${present.has(line) ? `    (already in ${path})` : ""}`);
  }
  const remark = ({ entry, why }: ImportRemark): void => print(`  ${entry}: ${why}`);
  if (notes.length > 0) print("Imported with changes:");
  for (const note of notes) remark(note);
  if (skipped.length > 0) print("Skipped:");
  for (const one of skipped) remark(one);
}

async function isAgreed(io: Io): Promise<boolean> {
  const answer = await io.readLine("Store these? [y/n] ", io.signal);
  return /^y(?:es)?$/iu.test(answer?.trim() ?? "");
}
