/** A part of a regular expression. What it captures and how greedy it is do not matter to a line. */
export type RegexNode =
  /** These characters, one after the other. */
  | { readonly kind: "text"; readonly text: string }
  /** One character of a set, written as a class of JavaScript's `v` mode. */
  | { readonly kind: "set"; readonly source: string }
  /** A condition on a place, written in JavaScript. */
  | { readonly kind: "assertion"; readonly source: string }
  | { readonly kind: "sequence"; readonly parts: readonly RegexNode[] }
  | { readonly kind: "choice"; readonly branches: readonly RegexNode[] }
  | {
      readonly kind: "repeat";
      readonly part: RegexNode;
      readonly least: number;
      /** Infinite if unbounded. */
      readonly most: number;
    };

/** What matches the empty text. */
export const emptyNode: RegexNode = { kind: "sequence", parts: [] };
