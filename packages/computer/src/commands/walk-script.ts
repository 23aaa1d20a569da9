import {
  type AndOr,
  forEachChild,
  type If,
  type ParsedScript,
  type Pipeline,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { afterAll, type Directory, type Outcome, stays } from "./directory.ts";
import type { Frame } from "./frame.ts";
import { readRedirections } from "./read-redirections.ts";
import { readSimpleCommand } from "./read-simple-command.ts";
import { readTest } from "./read-test.ts";

/** Reads every command of a script, following the directory that each would run in. */
export function walkScript(script: ParsedScript, directory: Directory, frame: Frame): Outcome {
  if (script.errors !== undefined && script.errors.length > 0) {
    frame.draft.doubt(`it does not parse: ${script.errors[0]?.message}`);
    frame.draft.loosen();
  }
  return walkStatements(script.commands, directory, frame);
}

/** Reads the commands inside a word or an expression, which the shell runs to expand it. */
export function walkInside(node: SyntaxNode, directory: Directory, frame: Frame): void {
  if (node.type === "Script") {
    walkScript(node, directory, frame);
    return;
  }
  if (node.type.startsWith("Arithmetic"))
    frame.draft.doubt("it has arithmetic, which can run commands");
  forEachChild(node, (child) => walkInside(child, directory, frame));
}

function walkStatements(
  statements: readonly Statement[],
  directory: Directory,
  frame: Frame,
): Outcome {
  let outcome = stays(directory);
  for (const { command, background } of statements) {
    const start = afterAll(outcome);
    outcome = walkNode(command, start, frame);
    if (background === true) outcome = stays(start);
  }
  return outcome;
}

function walkNode(node: SyntaxNode, directory: Directory, frame: Frame): Outcome {
  switch (node.type) {
    case "Command":
      return readSimpleCommand(node, directory, frame);
    case "Pipeline":
      return walkPipeline(node, directory, frame);
    case "AndOr":
      return walkAndOr(node, directory, frame);
    case "CompoundList":
      return walkStatements(node.commands, directory, frame);
    case "BraceGroup":
      return walkStatements(node.body.commands, directory, frame);
    case "Subshell":
      walkStatements(node.body.commands, directory, frame);
      return stays(directory);
    case "Redirected":
      readRedirections(node.redirects, directory, frame);
      return walkNode(node.command, directory, frame);
    case "If":
      return walkIf(node, directory, frame);
    case "While":
      return walkAll(node, directory, frame);
    case "TestCommand":
      readTest(node, directory, frame);
      return stays(directory);
    default:
      frame.draft.doubt(doubtful[node.type] ?? "it has unsupported syntax");
      return walkAll(node, directory, frame);
  }
}

// Each part runs in its own shell.
function walkPipeline(
  { commands, prefixes }: Pipeline,
  directory: Directory,
  frame: Frame,
): Outcome {
  const outcomes = commands.map((part) => walkNode(part, directory, frame));
  const [only] = outcomes;
  if (only === undefined || outcomes.length > 1) return stays(directory);
  const isNegated = prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
  return isNegated ? { succeeded: only.failed, failed: only.succeeded } : only;
}

function walkAndOr({ commands, operators }: AndOr, directory: Directory, frame: Frame): Outcome {
  let outcome = stays(directory);
  for (const [index, part] of commands.entries()) {
    const before = outcome;
    if (index === 0) outcome = walkNode(part, directory, frame);
    else if (operators[index - 1] === "&&") {
      const { succeeded, failed } = walkNode(part, before.succeeded, frame);
      outcome = { succeeded, failed: failed === before.failed ? failed : undefined };
    } else {
      const { succeeded, failed } = walkNode(part, before.failed, frame);
      outcome = { succeeded: succeeded === before.succeeded ? succeeded : undefined, failed };
    }
  }
  return outcome;
}

function walkIf(node: If, directory: Directory, frame: Frame): Outcome {
  let condition = walkStatements(node.clause.commands, directory, frame);
  const ends = [walkStatements(node.then.commands, condition.succeeded, frame)];
  for (const { clause, then: body } of node.elif) {
    condition = walkStatements(clause.commands, condition.failed, frame);
    ends.push(walkStatements(body.commands, condition.succeeded, frame));
  }
  const otherwise = node.else?.commands ?? [];
  ends.push(walkStatements(otherwise, condition.failed, frame));
  return stays(afterAll(...ends));
}

// Runs any number of times, in any order: changes of the directory can't be followed there.
function walkAll(node: SyntaxNode, directory: Directory, frame: Frame): Outcome {
  const inside = mayMove(node) ? undefined : directory;
  forEachChild(node, (child) => {
    if (executed.has(child.type)) walkNode(child, inside, frame);
    else walkInside(child, inside, frame);
  });
  return stays(inside);
}

function mayMove(node: SyntaxNode): boolean {
  const known = moves.get(node);
  if (known !== undefined) return known;
  let found = node.type === "Command" && moving.test(node.name?.value ?? "");
  forEachChild(node, (child) => {
    found ||= mayMove(child);
  });
  moves.set(node, found);
  return found;
}

const moves = new WeakMap<SyntaxNode, boolean>();

const moving = /^(?:cd|pushd|popd|command|builtin|eval|source|\.)$/u;

const executed: ReadonlySet<string> = new Set([
  ...["AndOr", "BraceGroup", "Case", "CaseItem", "Command", "CompoundList", "Coproc", "For"],
  ...["ArithmeticCommand", "ArithmeticFor", "Function", "If", "Pipeline", "Redirected", "Select"],
  ...["Subshell", "TestCommand", "While"],
]);

const doubtful: Readonly<Record<string, string>> = {
  Function: "it defines a function",
  Coproc: "it starts a coprocess",
  For: "it sets a variable in a loop",
  Select: "it sets a variable in a loop",
  ArithmeticFor: "it has arithmetic, which can run commands",
  ArithmeticCommand: "it has arithmetic, which can run commands",
  Case: "it has a case statement",
  CaseItem: "it has a case statement",
};
