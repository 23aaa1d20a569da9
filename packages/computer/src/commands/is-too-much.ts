/**
 * Whether a command line is longer, or more deeply nested, than people and models write them. Parsing
 * such a line may take seconds.
 */
export function isTooMuch(command: string): boolean {
  if (command.length > maxCharacters) return true;
  // Lines of a here-document are not commands.
  const separators = command.includes("<<") ? withoutLines : withLines;
  if ((command.match(separators)?.length ?? 0) > maxSeparators) return true;
  return command.length > maxDepth && isDeep(command);
}

const maxCharacters = 100_000;
const maxSeparators = 500;
const maxDepth = 60;

const withLines = /[;&|\n<>]+|\$\(|`/gu;
const withoutLines = /[;&|]+|[$<>]\(|`|<</gu;

// Quotes are ignored: text too closes most of what it opens.
function isDeep(command: string): boolean {
  let depth = 0;
  for (let at = 0; at < command.length; at++) {
    const code = command.charCodeAt(at);
    if (code === openParenthesis || code === openBracket || code === openBrace) {
      if (++depth > maxDepth) return true;
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
