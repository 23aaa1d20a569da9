/** A place in a pattern, moving from character to character. */
export interface PatternCursor {
  /** The character here, or the empty string at the end. */
  peek(ahead?: number): string;
  /** The character here; the place moves behind it. */
  next(): string;
  /** Moves behind the text if it stands here. */
  skip(text: string): boolean;
  /** Moves behind what a sticky expression matches here. */
  take(expression: RegExp): RegExpExecArray | undefined;
}

/** Starts at the beginning of a pattern. */
export function createPatternCursor(pattern: string): PatternCursor {
  let at = 0;
  const characterAt = (index: number): string => {
    const codePoint = pattern.codePointAt(index);
    return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
  };
  return {
    peek: (ahead = 0) => characterAt(at + ahead),
    next: () => {
      const character = characterAt(at);
      at += character.length;
      return character;
    },
    skip: (text) => {
      if (!pattern.startsWith(text, at)) return false;
      at += text.length;
      return true;
    },
    take: (expression) => {
      expression.lastIndex = at;
      const match = expression.exec(pattern);
      if (match === null) return undefined;
      at = expression.lastIndex;
      return match;
    },
  };
}
