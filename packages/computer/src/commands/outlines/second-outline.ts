import type { Tree, TreeCursor } from "web-tree-sitter";
import { createOutline, type Outline, type OutlineBuilder } from "./outline.ts";

/** The outline of the second parser's result; `undefined` if it can't be compared. */
export function outlineSecond(tree: Tree): Outline | undefined {
  if (tree.rootNode.hasError) return undefined;
  const outline = createOutline();
  const cursor = tree.walk();
  try {
    addNode(cursor, outline, "program");
  } finally {
    cursor.delete();
  }
  return outline.finish();
}

const list = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const words = list(
  "command_name word number string raw_string ansi_c_string concatenation variable_assignment file_descriptor heredoc_start test_operator regex extglob_pattern",
);
const statements = list(
  "command list pipeline redirected_statement negated_command subshell compound_statement if_statement while_statement test_command variable_assignment variable_assignments",
);
// In these, one statement follows another without a node for the newline between.
const blocks = list(
  "program subshell compound_statement do_group if_statement elif_clause else_clause while_statement",
);
const inner = list(
  "program do_group elif_clause else_clause file_redirect heredoc_redirect herestring_redirect",
);
const expressions = list("unary_expression binary_expression parenthesized_expression");
const ignored = list("comment heredoc_end");

function addNode(cursor: TreeCursor, outline: OutlineBuilder, parent: string): void {
  const type = cursor.nodeType;
  if (ignored.has(type)) return;
  const isStatement = statements.has(type);
  if (isStatement && blocks.has(parent)) outline.end();
  if (words.has(type)) outline.word(cursor.startIndex, cursor.endIndex);
  else if (type === "heredoc_body") outline.body(cursor.startIndex, cursor.endIndex);
  else if (type === "test_command") addTest(cursor, outline);
  else if (isStatement || inner.has(type)) addChildren(cursor, outline, type);
  else addSign(cursor, outline);
}

function addChildren(cursor: TreeCursor, outline: OutlineBuilder, type: string): void {
  if (!cursor.gotoFirstChild()) return;
  do addNode(cursor, outline, type);
  while (cursor.gotoNextSibling());
  cursor.gotoParent();
}

function addSign(cursor: TreeCursor, outline: OutlineBuilder): void {
  const type = cursor.nodeType;
  if (type === ";" || type === "\n") outline.end();
  else if (type === "==" || type === "=~") outline.word(cursor.startIndex, cursor.endIndex);
  else if (type === ">&-" || type === "<&-") {
    outline.sign(type.slice(0, 2));
    outline.word(cursor.endIndex - 1, cursor.endIndex);
  } else outline.sign(type);
}

// This parser also treats a single bracket as syntax. The first treats it as the command it is.
function addTest(cursor: TreeCursor, outline: OutlineBuilder): void {
  if (!cursor.gotoFirstChild()) return;
  const isCommand = cursor.nodeType === "[";
  do {
    const type = cursor.nodeType;
    if (isCommand) addLeaves(cursor, outline);
    else if (type === "[[" || type === "]]") outline.sign(type);
    else addOperands(cursor, outline);
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
}

function addLeaves(cursor: TreeCursor, outline: OutlineBuilder): void {
  if (expressions.has(cursor.nodeType)) eachChild(cursor, () => addLeaves(cursor, outline));
  else outline.word(cursor.startIndex, cursor.endIndex);
}

function addOperands(cursor: TreeCursor, outline: OutlineBuilder): void {
  const type = cursor.nodeType;
  if (expressions.has(type)) eachChild(cursor, () => addOperands(cursor, outline));
  else if (words.has(type) && type !== "test_operator") {
    outline.word(cursor.startIndex, cursor.endIndex);
  } else if (cursor.nodeIsNamed && type !== "test_operator") outline.sign(type);
}

function eachChild(cursor: TreeCursor, visit: () => void): void {
  if (!cursor.gotoFirstChild()) return;
  do visit();
  while (cursor.gotoNextSibling());
  cursor.gotoParent();
}
