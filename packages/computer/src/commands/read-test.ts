import type { ReadWord } from "@haft/core";
import type { TestCommand, TestExpression } from "unbash";
import type { Directory } from "./directory.ts";
import type { Frame } from "./frame.ts";
import { readBareCommand } from "./read-bare-command.ts";
import { readWord } from "./read-simple-command.ts";

/** Reads a test in double brackets, which is shell syntax, as if it were a command. */
export function readTest(node: TestCommand, directory: Directory, frame: Frame): void {
  const words: ReadWord[] = ["[["];
  const add = (expression: TestExpression): void => {
    switch (expression.type) {
      case "TestUnary":
        words.push(judged(expression.operator), readWord(expression.operand, directory, frame));
        break;
      case "TestBinary":
        words.push(readWord(expression.left, directory, frame), judged(expression.operator));
        words.push(readWord(expression.right, directory, frame));
        break;
      case "TestLogical":
        for (const operand of expression.operands) add(operand);
        break;
      case "TestNot":
        add(expression.operand);
        break;
      default:
        add(expression.expression);
    }
  };
  const judged = (operator: string): string => {
    if (computing.test(operator)) frame.draft.doubt("it has arithmetic, which can run commands");
    return operator;
  };
  add(node.expression);
  readBareCommand({ words: [...words, "]]"], directory, doubts: [], input: [] }, frame);
}

// The operands are computed, or name variables whose index is.
const computing = /^-(?:eq|ne|lt|le|gt|ge|v|R)$/u;
