/** What a provider asks of a tool's name beside being of letters, digits, `_` and `-`. */
export interface NameRule {
  readonly longest: number;
  /** Whether digits and `-` may stand first. */
  readonly anyFirst: boolean;
}

/** What every provider takes. */
export const anyProviderNames: NameRule = { longest: 64, anyFirst: false };

/** Names as a provider takes them, and back. */
export interface ProviderNames {
  toProvider(name: string): string;
  /** What stands for no tool comes back as it is, for the session to name what is near. */
  fromProvider(name: string): string;
}

/**
 * Makes names legal for a provider. A legal one stays; another gets a mark of its own, made of
 * nothing but the name, so that it is the same in every session and two never become one.
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

function legalPattern({ longest, anyFirst }: NameRule): RegExp {
  const first = anyFirst ? "[a-zA-Z0-9_-]" : "[a-zA-Z_]";
  return new RegExp(`^${first}[a-zA-Z0-9_-]{0,${longest - 1}}$`, "u");
}

function markName(name: string, { longest, anyFirst }: NameRule, marked: string): string {
  const clean = name.replace(/[^a-zA-Z0-9_-]/gu, "_");
  const begun = anyFirst || /^[a-zA-Z_]/u.test(clean) ? clean : `_${clean}`;
  const mark = `_${hash(marked)}`;
  return begun.slice(0, longest - mark.length) + mark;
}

// FNV-1a: short, and the same everywhere.
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, "0");
}
