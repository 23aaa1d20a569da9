/** A provider's rule for tool names. All allow letters, digits, `_` and `-`. */
export interface NameRule {
  readonly maxLength: number;
  /** Whether a name may start with a digit or `-`. */
  readonly anyFirst: boolean;
}

/** The rule that satisfies every provider. */
export const anyProviderNames: NameRule = { maxLength: 64, anyFirst: false };

/** Maps tool names to provider names and back. */
export interface ProviderNames {
  toProvider(name: string): string;
  /** Unknown names are returned unchanged, so that the session can suggest similar ones. */
  fromProvider(name: string): string;
}

/**
 * Makes names valid for a provider. A valid name stays. Any other gets a suffix computed from the
 * name, so that it is the same in every session and two names never become one.
 */
export function createProviderNames(names: readonly string[], rule: NameRule): ProviderNames {
  const legal = legalPattern(rule);
  const back = new Map(names.filter((name) => legal.test(name)).map((name) => [name, name]));
  const forth = new Map<string, string>();
  for (const name of names) {
    if (legal.test(name) || forth.has(name)) continue;
    let made = markName(name, rule, name);
    for (let salt = 1; back.has(made); salt++) made = markName(name, rule, `${salt} ${name}`);
    forth.set(name, made);
    back.set(made, name);
  }
  return {
    toProvider: (name) => forth.get(name) ?? name,
    fromProvider: (name) => back.get(name) ?? name,
  };
}

function legalPattern({ maxLength, anyFirst }: NameRule): RegExp {
  const first = anyFirst ? "[a-zA-Z0-9_-]" : "[a-zA-Z_]";
  return new RegExp(`^${first}[a-zA-Z0-9_-]{0,${maxLength - 1}}$`, "u");
}

function markName(name: string, { maxLength, anyFirst }: NameRule, marked: string): string {
  const clean = name.replace(/[^a-zA-Z0-9_-]/gu, "_");
  const begun = anyFirst || /^[a-zA-Z_]/u.test(clean) ? clean : `_${clean}`;
  const mark = `_${hash(marked)}`;
  return begun.slice(0, maxLength - mark.length) + mark;
}

// FNV-1a: short and stable.
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, "0");
}
