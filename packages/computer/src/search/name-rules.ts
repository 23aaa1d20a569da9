import { toByteText } from "./byte-text.ts";
import type { IgnoreToken } from "./ignore-glob.ts";
import { type ByteMatcher, compileMachine } from "./ignore-machine.ts";

/** One rule about names in a directory. */
export interface NameRule {
  /** A later rule overrides an earlier one. */
  readonly index: number;
  /** It re-includes names. */
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  /** The names it applies to. */
  readonly name: readonly IgnoreToken[];
  /** Decides about names instead. */
  readonly fits?: ByteMatcher;
}

/** The rules' verdict on a name. */
export type IgnoreVerdict = "ignore" | "keep" | undefined;

/** Rules about the names in one directory, ordered for quick lookups. */
export class NameRules {
  readonly #byName = new RuleTable();
  readonly #byExtension = new RuleTable();
  /** All others, the latest first. */
  readonly #others: { readonly rule: NameRule; fits(name: string): boolean }[] = [];

  constructor(rules: readonly NameRule[]) {
    for (const rule of rules.toReversed()) this.#add(rule);
  }

  /** The verdict of the latest matching rule. */
  judge(name: string, isDirectory: boolean): IgnoreVerdict {
    let latest = this.#byName.find(name, isDirectory);
    const byExtension = this.#byExtension.findEnd(name, isDirectory);
    if (byExtension !== undefined && !(byExtension.index < (latest?.index ?? -1))) {
      latest = byExtension;
    }
    for (const { rule, fits } of this.#others) {
      if (latest !== undefined && rule.index < latest.index) break;
      if ((rule.directoriesOnly && !isDirectory) || !fits(name)) continue;
      latest = rule;
      break;
    }
    if (latest === undefined) return undefined;
    return latest.negated ? "keep" : "ignore";
  }

  #add(rule: NameRule): void {
    const { fits } = rule;
    if (fits !== undefined) {
      this.#others.push({ rule, fits: (name) => fits(toByteText(name)) });
      return;
    }
    const [first, ...rest] = rule.name;
    const literal = toLiteral(rule.name);
    if (literal !== undefined) {
      this.#byName.add(literal, rule);
      return;
    }
    const end = first?.type === "star" ? toLiteral(rest) : undefined;
    if (end !== undefined && /^\.[^.]+$/u.test(end)) this.#byExtension.add(end, rule);
    else this.#others.push({ rule, fits: compileName(rule.name) });
  }
}

// Hashing a name takes as long as comparing it with a dozen others.
const fewTexts = 12;

/** Rules by text, the latest first. */
class RuleTable {
  readonly #rules = new Map<string, NameRule[]>();
  readonly #texts: string[] = [];

  add(text: string, rule: NameRule): void {
    const rules = this.#rules.get(text);
    if (rules !== undefined) rules.push(rule);
    else {
      this.#rules.set(text, [rule]);
      this.#texts.push(text);
    }
  }

  /** The latest rule for a name. */
  find(name: string, isDirectory: boolean): NameRule | undefined {
    if (this.#texts.length <= fewTexts && !this.#texts.includes(name)) return undefined;
    return firstOf(this.#rules.get(name), isDirectory);
  }

  /** The latest rule for the extension of a name. */
  findEnd(name: string, isDirectory: boolean): NameRule | undefined {
    if (this.#texts.length === 0) return undefined;
    if (this.#texts.length > fewTexts) {
      const dot = name.lastIndexOf(".");
      return dot === -1 ? undefined : firstOf(this.#rules.get(name.slice(dot)), isDirectory);
    }
    for (const text of this.#texts) {
      if (name.endsWith(text)) return firstOf(this.#rules.get(text), isDirectory);
    }
    return undefined;
  }
}

function compileName(tokens: readonly IgnoreToken[]): (name: string) => boolean {
  const firstOpen = tokens.findIndex(isOpen);
  const lastOpen = tokens.findLastIndex(isOpen);
  const head = toLiteral(tokens.slice(0, firstOpen)) ?? "";
  const tail = toLiteral(tokens.slice(lastOpen + 1)) ?? "";
  const mayFit = (name: string): boolean =>
    name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
  if (firstOpen === lastOpen && tokens[firstOpen]?.type === "star") return mayFit;
  const machine = compileMachine(tokens);
  return (name) => mayFit(name) && machine(toByteText(name));
}

function isOpen(token: IgnoreToken): boolean {
  return token.type !== "character";
}

function toLiteral(tokens: readonly IgnoreToken[]): string | undefined {
  let text = "";
  for (const token of tokens) {
    if (token.type !== "character") return undefined;
    text += token.character;
  }
  return text;
}

function firstOf(
  rules: readonly NameRule[] | undefined,
  isDirectory: boolean,
): NameRule | undefined {
  if (rules === undefined || isDirectory) return rules?.[0];
  return rules.find(({ directoriesOnly }) => !directoriesOnly);
}
