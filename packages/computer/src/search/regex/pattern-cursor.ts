/** A position in a pattern. */
export interface PatternCursor {
  /** The character here, or the empty string at the end. */
  peek(ahead?: number): string;
  /** Returns the character here and moves past it. */
  next(): string;
  /** Moves past the text if it is here. */
  skip(text: string): boolean;
  /** Moves past what a sticky expression matches here. */
  take(expression: RegExp): RegExpExecArray | undefined;
}

/** Creates a cursor at the beginning of a pattern. */
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
