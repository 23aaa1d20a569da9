import type { HereDoc, HereString, Redirection } from "unbash";
import type { Directory } from "./directory.ts";
import type { Frame } from "./frame.ts";
import { toLiteral } from "./literal-word.ts";
import { readRedirection } from "./read-redirection.ts";

/** Adds what redirections write to the reading, and returns the input texts that they provide. */
export function readRedirections(
  redirections: readonly Redirection[],
  directory: Directory,
  frame: Frame,
): readonly string[] {
  const { draft } = frame;
  const input: string[] = [];
  for (const redirection of redirections) {
    if (redirection.type === "Redirect") {
      const text = redirection.target?.text;
      const target = text === undefined ? undefined : toLiteral(text, draft.place.home);
      const { write, doubt } = readRedirection(redirection, target, { directory, draft });
      if (write !== undefined) draft.writes.push(write);
      if (doubt !== undefined) draft.doubt(doubt);
      if (target === undefined) frame.readInside(redirection, directory, frame);
    } else {
      const text =
        redirection.type === "HereDoc" ? bodyOf(redirection) : stringOf(redirection, frame);
      if (text !== undefined) input.push(text);
      else {
        draft.doubt("its input is not literal");
        frame.readInside(redirection, directory, frame);
      }
    }
  }
  return input;
}

function bodyOf({ operator, delimiter, body }: HereDoc): string | undefined {
  const isLiteral = delimiter?.quoted === true || !/[$`\\]/u.test(body.text);
  if (!isLiteral || delimiter === undefined) return undefined;
  return operator === "<<-" ? body.text.replaceAll(/^\t+/gmu, "") : body.text;
}

function stringOf({ target }: HereString, { draft }: Frame): string | undefined {
  return target === undefined ? undefined : toLiteral(target.text, draft.place.home);
}
