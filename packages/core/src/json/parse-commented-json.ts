import type { JsonValue } from "@haft/contract";
import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
import { maxJsonDepth } from "./is-nested-deeper.ts";

/** A syntax error with its position in the text, both counted from 1. */
export class CommentedJsonError extends SyntaxError {
  override readonly name = "CommentedJsonError";
  readonly line: number;
  readonly column: number;

  constructor(what: string, text: string, offset: number) {
    const lines = text.slice(0, offset).split(/\r\n|\r|\n/u);
    const column = (lines.at(-1)?.length ?? 0) + 1;
    super(`${what} (line ${lines.length}, column ${column})`);
    this.line = lines.length;
    this.column = column;
  }
}

type Container = JsonValue[] | { [name: string]: JsonValue };

/**
 * Parses JSON as editors write settings: with comments and trailing commas. Throws a
 * `CommentedJsonError` at the first mistake.
 */
export function parseCommentedJson(text: string): JsonValue {
  const source = text.replace(/^\ufeff/u, "");
  let root: JsonValue = null;
  const open: { readonly container: Container; name: string }[] = [];
  const add = (value: JsonValue): void => {
    const parent = open.at(-1);
    if (parent === undefined) root = value;
    else if (Array.isArray(parent.container)) parent.container.push(value);
    else define(parent.container, parent.name, value);
  };
  const begin = (container: Container, offset: number): void => {
    // The parser is recursive: without a limit, a hostile text would exhaust the stack.
    if (open.length >= maxJsonDepth) {
      throw new CommentedJsonError(`nested deeper than ${maxJsonDepth} levels`, source, offset);
    }
    add(container);
    open.push({ container, name: "" });
  };
  const end = (): void => void open.pop();
  visit(
    source,
    {
      onObjectBegin: (offset) => begin({}, offset),
      onArrayBegin: (offset) => begin([], offset),
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty: (name) => {
        const parent = open.at(-1);
        if (parent !== undefined) parent.name = name;
      },
      onLiteralValue: (value: JsonValue) => add(value),
      onError: (code, offset) => {
        throw new CommentedJsonError(describeError(code), source, offset);
      },
    },
    { allowTrailingComma: true },
  );
  return root;
}

// An assignment to `__proto__` would change the prototype instead of adding a property.
function define(object: object, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** Turns a code such as `ColonExpected` into words. */
function describeError(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replaceAll(/(?<=[a-z])[A-Z]/gu, " $&")
    .toLowerCase();
}
