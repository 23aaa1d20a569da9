/** A node of a regular expression. Captures and greediness do not affect whether a line matches. */
export type RegexNode =
  /** These characters, one after the other. */
  | { readonly kind: "text"; readonly text: string }
  /** One character of a set, written as a class of JavaScript's `v` mode. */
  | { readonly kind: "set"; readonly source: string }
  /** An assertion, written in JavaScript. */
  | { readonly kind: "assertion"; readonly source: string }
  | { readonly kind: "sequence"; readonly parts: readonly RegexNode[] }
  | { readonly kind: "choice"; readonly branches: readonly RegexNode[] }
  | {
      readonly kind: "repeat";
      readonly part: RegexNode;
      readonly min: number;
      /** Infinite if unbounded. */
      readonly max: number;
    };

/** Matches the empty text. */
export const emptyNode: RegexNode = { kind: "sequence", parts: [] };
