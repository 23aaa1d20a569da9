/** The patch of one file. */
export interface Patch {
  readonly text: string;
  /** Whether its end is missing. */
  readonly isCutOff: boolean;
}

/** Takes a patch of many files apart. Only a header begins a line with its words: content is indented by a sign. */
export function splitPatches(
  text: string,
  options: { readonly isCutOff: boolean },
): readonly Patch[] {
  const texts = text.split(/(?<=^|\n)(?=diff --git )/).filter((part) => part !== "");
  return texts.map((part, index) => ({
    text: part,
    isCutOff: options.isCutOff && index === texts.length - 1,
  }));
}
