/**
 * Whether a command line is longer, or more deeply nested, than people and models write them. To
 * parse such a line may take seconds.
 */
export function isTooMuch(command: string): boolean {
  if (command.length > mostCharacters) return true;
  // Lines of a text that is given as input are not commands.
  const separators = command.includes("<<") ? withoutLines : withLines;
  if ((command.match(separators)?.length ?? 0) > mostSeparators) return true;
  return command.length > mostDepth && isDeep(command);
}

const mostCharacters = 100_000;
const mostSeparators = 500;
const mostDepth = 60;

const withLines = /[;&|\n<>]+|\$\(|`/gu;
const withoutLines = /[;&|]+|[$<>]\(|`|<</gu;

// Quotes are not heeded: text, too, closes most of what it opens.
function isDeep(command: string): boolean {
  let depth = 0;
  for (let at = 0; at < command.length; at++) {
    const code = command.charCodeAt(at);
    if (code === openParenthesis || code === openBracket || code === openBrace) {
      if (++depth > mostDepth) return true;
    } else if (
      depth > 0 &&
      (code === closeParenthesis || code === closeBracket || code === closeBrace)
    ) {
      depth--;
    }
  }
  return false;
}

const openParenthesis = 0x28;
const closeParenthesis = 0x29;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
