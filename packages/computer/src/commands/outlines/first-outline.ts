import type {
  Command,
  CommandNode,
  PipelineNode,
  PipelinePrefix,
  Redirection,
  Script,
  Statement,
  SyntaxNode,
  TestExpression,
} from "unbash";
import { createOutline, type Outline, type OutlineBuilder } from "./outline.ts";

/** The outline of the first parser's result; `undefined` if it can't be compared. */
export function outlineFirst(script: Script): Outline | undefined {
  const outline = createOutline();
  addStatements(script.commands, outline);
  return outline.finish();
}

function addStatements(statements: readonly Statement[], outline: OutlineBuilder): void {
  for (const { command, background } of statements) {
    addNode(command, outline);
    if (background === true) outline.sign("&");
    else outline.end();
  }
}

function addNode(node: SyntaxNode, outline: OutlineBuilder): void {
  switch (node.type) {
    case "Command":
      addCommand(node, outline);
      break;
    case "Pipeline":
      for (const prefix of node.prefixes) addPrefix(prefix, outline);
      addJoined(node.commands, node.operators, outline);
      break;
    case "AndOr":
      addJoined(node.commands, node.operators, outline);
      break;
    case "Subshell":
      addBlock("(", node.body.commands, outline);
      outline.sign(")");
      break;
    case "BraceGroup":
      addBlock("{", node.body.commands, outline);
      outline.sign("}");
      break;
    case "Redirected":
      addNode(node.command, outline);
      for (const redirection of node.redirects) addRedirection(redirection, outline);
      break;
    case "If":
      addBlock("if", node.clause.commands, outline);
      addBlock("then", node.then.commands, outline);
      for (const branch of node.elif) {
        addBlock("elif", branch.clause.commands, outline);
        addBlock("then", branch.then.commands, outline);
      }
      if (node.else !== undefined) addBlock("else", node.else.commands, outline);
      outline.sign("fi");
      break;
    case "While":
      addBlock(node.kind, node.clause.commands, outline);
      addBlock("do", node.body.commands, outline);
      outline.sign("done");
      break;
    case "TestCommand":
      outline.sign("[[");
      addTest(node.expression, outline);
      outline.sign("]]");
      break;
    default:
      outline.sign(node.type);
  }
}

function addBlock(
  keyword: string,
  statements: readonly Statement[],
  outline: OutlineBuilder,
): void {
  outline.sign(keyword);
  addStatements(statements, outline);
}

function addJoined(
  nodes: readonly (CommandNode | PipelineNode)[],
  operators: readonly string[],
  outline: OutlineBuilder,
): void {
  for (const [index, node] of nodes.entries()) {
    if (index > 0) outline.sign(operators[index - 1] ?? "");
    addNode(node, outline);
  }
}

// The other parser treats `time` as a command.
function addPrefix(prefix: PipelinePrefix, outline: OutlineBuilder): void {
  if (prefix.type === "Negation") outline.sign("!");
  else {
    outline.word(prefix.pos, prefix.keywordEnd);
    for (const option of [prefix.posix, prefix.endOfOptions]) {
      if (option !== undefined) outline.word(option.pos, option.end);
    }
  }
}

function addCommand({ prefix, name, suffix }: Command, outline: OutlineBuilder): void {
  for (const part of prefix) addPart(part, outline);
  if (name !== undefined) outline.word(name.pos, name.end);
  for (const part of suffix) addPart(part, outline);
}

function addPart(part: Command["prefix" | "suffix"][number], outline: OutlineBuilder): void {
  if (part.type === "Word" || part.type === "Assignment") outline.word(part.pos, part.end);
  else addRedirection(part, outline);
}

function addRedirection(redirection: Redirection, outline: OutlineBuilder): void {
  const { descriptor, operator } = redirection;
  if (descriptor !== undefined) outline.word(descriptor.pos, descriptor.end);
  outline.sign(operator);
  if (redirection.type === "HereDoc") {
    const { delimiter, body } = redirection;
    if (delimiter !== undefined) outline.word(delimiter.pos, delimiter.end);
    outline.body(body.pos, body.end);
  } else if (redirection.target !== undefined) {
    outline.word(redirection.target.pos, redirection.target.end);
  }
}

function addTest(expression: TestExpression, outline: OutlineBuilder): void {
  switch (expression.type) {
    case "TestUnary":
      outline.word(expression.operand.pos, expression.operand.end);
      break;
    case "TestBinary":
      outline.word(expression.left.pos, expression.left.end);
      outline.word(expression.right.pos, expression.right.end);
      break;
    case "TestLogical":
      for (const operand of expression.operands) addTest(operand, outline);
      break;
    case "TestNot":
      addTest(expression.operand, outline);
      break;
    default:
      addTest(expression.expression, outline);
  }
}
