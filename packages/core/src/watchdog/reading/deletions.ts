import type { ReadWord } from "../../commands/command-reading.ts";
import { hasOption, operandsOf, valuesOf } from "./arguments-of.ts";
import type { CommandLine } from "./command-line.ts";
import { codeOf, interpreters } from "./net-sender.ts";
import type { SeenCommand } from "./seen-command.ts";

/** What a command would delete. */
export interface Deletion {
  readonly program: string;
  /** The paths as it names them; `undefined` for one that is not literal. */
  readonly targets: readonly ReadWord[];
  readonly cwd: string | undefined;
  /** Everything below the targets goes too. */
  readonly isDeep: boolean;
  /** Only some of what is below the targets goes. */
  readonly isChosen?: boolean;
}

/** What the commands of a line would delete, in whatever way. */
export function findDeletions(line: CommandLine): Deletion[] {
  const sure = line.commands.flatMap((command) => toDeletion(command, line) ?? []);
  const loose = line
    .looseCommands("rm")
    .flatMap((command) => toDeletion(command, line) ?? [])
    // Where such a command ends is not known: only what can't be anything but a path counts.
    .map((deletion) => ({ ...deletion, targets: deletion.targets.filter(isPath) }));
  return [...sure, ...loose].filter(({ targets }) => targets.length > 0);
}

function toDeletion(command: SeenCommand, line: CommandLine): Deletion | undefined {
  const { program, args, cwd, under } = command;
  const found = { program, cwd };
  switch (program) {
    case "rm": {
      // What `find` hands over is judged where `find` begins.
      if (under.includes("find")) return undefined;
      const targets = fillIn(operandsOf(args), line);
      return { ...found, targets, isDeep: hasOption(args, "rR", ["--recursive"]) };
    }
    case "find":
      return readFind(command);
    case "shred":
    case "truncate":
    case "unlink":
      return { ...found, targets: operandsOf(args), isDeep: false };
    case "git":
      return readClean(command);
    case "rsync":
      return hasDelete(args) && !hasOption(args, "n", ["--dry-run"])
        ? { ...found, targets: operandsOf(args).slice(-1), isDeep: true }
        : undefined;
    case "rimraf":
      return { ...found, targets: operandsOf(args), isDeep: true };
    default:
      if (packageRunners.has(program)) return readPackageRun(command, line);
      return interpreters.test(program) ? readCode(command) : undefined;
  }
}

function readFind({ program, args, cwd }: SeenCommand): Deletion | undefined {
  const deletes =
    args.includes("-delete") ||
    args.some(
      (arg, index) =>
        /^-(?:exec|execdir|ok)$/u.test(arg ?? "") &&
        /(?:^|\/)(?:rm|shred|unlink|truncate)$/u.test(args[index + 1] ?? ""),
    );
  if (!deletes) return undefined;
  const tests = args.findIndex((arg) => arg !== undefined && /^[-(!]/u.test(arg));
  const starts = args.slice(0, tests);
  const isChosen = args.some((arg) =>
    /^-(?:i?name|i?path|i?regex|type|empty|[acm]time|[acm]min|newer|size)$/u.test(arg ?? ""),
  );
  return { program, targets: starts.length === 0 ? ["."] : starts, cwd, isDeep: true, isChosen };
}

function readClean({ args, plainArgs, cwd }: SeenCommand): Deletion | undefined {
  const [action, ...rest] = plainArgs;
  if (action !== "clean" || !hasOption(rest, "f", ["--force"])) return undefined;
  if (hasOption(rest, "n", ["--dry-run"])) return undefined;
  const paths = operandsOf(rest);
  const [directory] = valuesOf(args, ["-C"]);
  const from = paths.length === 0 ? [directory ?? "."] : paths;
  return { program: "git clean", targets: from, cwd, isDeep: true };
}

/** `npx rimraf dist`: what follows the runner is the command. */
function readPackageRun(command: SeenCommand, line: CommandLine): Deletion | undefined {
  const at = command.args.indexOf("rimraf");
  return at < 0
    ? undefined
    : toDeletion({ ...command, program: "rimraf", args: command.args.slice(at + 1) }, line);
}

const packageRunners = new Set(["npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun"]);

function hasDelete(args: readonly ReadWord[]): boolean {
  return args.some((arg) => /^--(?:delete|del)(?:-|$)/u.test(arg ?? ""));
}

// Code that deletes trees, at places that it spells out.
function readCode({ program, args, cwd }: SeenCommand): Deletion | undefined {
  const code = codeOf(args)
    .filter((each) => deletingCode.test(each))
    .join("\n");
  const targets = Array.from(code.matchAll(/["'](~?\/[^"']*)["']/gu), ([, path]) => path);
  return targets.length === 0 ? undefined : { program, targets, cwd, isDeep: true };
}

const deletingCode =
  /rmtree|rm_rf|rm_r\b|rmSync|\.rm\(|rimraf|remove_dir_all|removedirs|remove_tree/u;

function isPath(word: ReadWord): boolean {
  return word !== undefined && (/^[~/]/u.test(word) || word.startsWith("../") || word === "..");
}

/**
 * Patterns are not literal words, but where they begin often is: `dist/*` stays in `dist`. If the
 * text shows as many of them as there are words missing, they are taken for those.
 */
function fillIn(operands: readonly ReadWord[], { text }: CommandLine): ReadWord[] {
  const missing = operands.filter((operand) => operand === undefined).length;
  if (missing === 0 || /[$`\\"'{[]/u.test(text)) return [...operands];
  const patterns = text.split(/[\s;|&<>()]+/u).filter((word) => /[*?]/u.test(word));
  if (patterns.length !== missing) return [...operands];
  return operands.map((operand) => operand ?? withoutPattern(patterns.shift() ?? ""));
}

function withoutPattern(pattern: string): string {
  const before = pattern.slice(0, pattern.search(/[*?]/u));
  const directory = before.slice(0, before.lastIndexOf("/") + 1);
  const name = pattern.slice(directory.length);
  // `*.log` chooses; `*` alone takes all that is there.
  return /^[*?.]+$/u.test(name.split("/")[0] ?? "") ? directory || "." : `${directory}${name}`;
}
