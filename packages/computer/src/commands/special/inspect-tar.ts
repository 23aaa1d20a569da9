import type { ReadWord } from "@haft/core";
import { judgeChange } from "../judge-target.ts";
import type { OptionEntry } from "../programs/program-entry.ts";
import { does, type ScannedOption, type ScannedRisk } from "../scan-arguments.ts";
import type { Inspector } from "./inspector.ts";

/** Checks tar's letters without a dash, and archives on other machines. */
export const inspectTar: Inspector = (
  { options, operands, program },
  { words, directory },
  draft,
) => {
  const findings: ScannedRisk[] = [];
  // The values of such letters come later, in order, so every letter is separate.
  const letters = [...(/^[a-zA-Z]+$/u.exec(words[1] ?? "")?.[0] ?? "")].map(
    (letter) => `-${letter}`,
  );
  for (const name of letters) {
    const option = program.entry.options.get(name);
    if (!isHarmless(option)) {
      findings.push({ word: 1, kind: option?.risk ?? "unknown", why: `${name} ${does.runs}` });
    }
  }
  for (const { value, valueWord } of options) {
    if (isRemote(value)) findings.push({ word: valueWord, kind: "runs", why: remote });
  }
  for (const word of operands) {
    if (isRemote(words[word])) findings.push({ word, kind: "runs", why: remote });
  }
  const names = new Set([...letters, ...options.map(({ name }) => name)]);
  const isListing = names.has("-t") || names.has("--list");
  const isChanging = changing.some((name) => names.has(name));
  if (isChanging && !extracting.some((name) => names.has(name))) {
    for (const { value, word } of archivesOf(options, letters, words)) {
      const why = value === "-" ? undefined : judgeChange(value, directory, draft);
      if (why !== undefined) findings.push({ word, kind: "writes", why });
    }
  }
  return { findings, ...(isListing && !isChanging && { effects: ["reads"] }) };
};

// The values of letters without a dash follow them in order.
function archivesOf(
  options: readonly ScannedOption[],
  letters: readonly string[],
  words: readonly ReadWord[],
): readonly { readonly value: ReadWord; readonly word: number }[] {
  const named = options
    .filter(({ name }) => name === "-f" || name === "--file")
    .map(({ value, valueWord }) => ({ value, word: valueWord }));
  const index = letters.filter((letter) => /^-[bfCKLNVX]$/u.test(letter)).indexOf("-f");
  return index < 0 ? named : [...named, { value: words[2 + index], word: 2 + index }];
}

function isHarmless(option: OptionEntry | undefined): boolean {
  return option !== undefined && option.risk === undefined && !option.isDirectory;
}

function isRemote(word: string | undefined): boolean {
  return word !== undefined && /^[^/]*:/u.test(word);
}

const remote = "an archive on another machine is fetched with a program";

const extracting: readonly string[] = ["-x", "--extract", "--get"];

const changing: readonly string[] =
  "-A -c -r -u -x --append --catenate --concatenate --create --delete --extract --get --update".split(
    " ",
  );
