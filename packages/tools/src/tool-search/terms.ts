/** The words of a name: split where it has signs or a capital letter, without the mark of its source. */
export function splitName(name: string): string[] {
  const words = name
    .replace(/^(?:mcp|tb)__/u, "")
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  return splitText(words);
}

/** The words of a text. */
export function splitText(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !isFiller(word.toLowerCase()));
}

/** What a tool is called by its own server. */
export function toolPart(name: string): string {
  return /^(?:mcp__.*?__|tb__)(?<part>.+)$/u.exec(name)?.groups?.part ?? name;
}

/** A name in one word, for those who leave out what stands between. */
export function joinName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** A word as it is indexed: in small letters, in the singular. */
export function toTerm(word: string): string {
  const term = word.toLowerCase();
  if (term.length > 4 && term.endsWith("ies")) return `${term.slice(0, -3)}y`;
  return term.length > 3 && /[^su]s$/u.test(term) ? term.slice(0, -1) : term;
}

/** Other terms for the same action: servers delete what people remove. */
export function similarTerms(term: string): readonly string[] {
  return similar.get(term) ?? [];
}

const similar: ReadonlyMap<string, readonly string[]> = toSimilar([
  "create add new make insert register another",
  "delete remove erase discard destroy rid drop",
  "list enumerate browse overview every all",
  "get fetch retrieve read show view look detail",
  "search find query look",
  "update change edit modify adjust rename",
  "send post publish deliver",
  "export download save dump",
  "import upload load",
  "start run launch execute trigger",
  "stop cancel abort terminate",
]);

function toSimilar(groups: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const group of groups) {
    const terms = group.split(" ");
    for (const term of terms) {
      const others = terms.filter((other) => other !== term);
      found.set(term, [...(found.get(term) ?? []), ...others]);
    }
  }
  return found;
}

// In every description, and says nothing.
function isFiller(term: string): boolean {
  return fillers.has(term);
}

const fillers: ReadonlySet<string> = new Set(
  "a an and are as at be by can do for from how i if in into is it its me my of on or our that the their them this to tool use used uses using want was we with you your".split(
    " ",
  ),
);
