/**
 * Whether a text looks drawn by chance, as keys and tokens are, and not like words that somebody
 * wrote: its characters keep changing between small letters, capitals and digits.
 */
export function isRandom(text: string): boolean {
  const core = text.slice(0, maxInspected).replace(/[^A-Za-z0-9]/gu, "");
  if (core.length < minLength) return false;
  const { small, capital, digit, changes, distinct } = countKinds(core);
  const letters = small + capital;
  if (hexadecimal.test(core)) {
    return core.length >= 32 && digit >= 4 && letters >= 4 && distinct >= 8;
  }
  if (distinct < 10) return false;
  const share = changes / (core.length - 1);
  const isMixed = small > 0 && capital > 0;
  // By chance two neighbours differ in kind in 62 of 100 cases, of two kinds only in 40 or 50.
  if (isMixed) return digit > 0 ? share >= 0.34 : core.length >= 32 && share >= 0.4;
  return digit >= 4 && letters > 0 && share >= 0.25;
}

const minLength = 20;
const maxInspected = 200;
const hexadecimal = /^(?:[0-9a-f]+|[0-9A-F]+)$/u;

interface KindCounts {
  small: number;
  capital: number;
  digit: number;
  changes: number;
  distinct: number;
}

function countKinds(core: string): KindCounts {
  const counts = { small: 0, capital: 0, digit: 0 };
  let changes = 0;
  let before: keyof typeof counts | undefined;
  for (let at = 0; at < core.length; at++) {
    const code = core.charCodeAt(at);
    const kind = code >= 97 ? "small" : code >= 65 ? "capital" : "digit";
    counts[kind]++;
    if (before !== undefined && kind !== before) changes++;
    before = kind;
  }
  return { ...counts, changes, distinct: new Set(core).size };
}
