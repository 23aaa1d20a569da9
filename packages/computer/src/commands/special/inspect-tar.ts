import type { OptionEntry } from "../programs/program-entry.ts";
import { does, type ScannedRisk } from "../scan-arguments.ts";
import type { Inspector } from "./inspector.ts";

/** Looks at tar's letters without a dash, and for archives on other machines. */
export const inspectTar: Inspector = ({ options, operands, program }, { words }) => {
  const findings: ScannedRisk[] = [];
  // The values of such letters come later, in their order, so every letter stands for itself.
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
  return { findings, ...(isListing && !isChanging && { effects: ["reads"] }) };
};

function isHarmless(option: OptionEntry | undefined): boolean {
  return option !== undefined && option.risk === undefined && !option.isDirectory;
}

function isRemote(word: string | undefined): boolean {
  return word !== undefined && /^[^/]*:/u.test(word);
}

const remote = "an archive on another machine is fetched by a program";

const changing: readonly string[] =
  "-A -c -r -u -x --append --catenate --concatenate --create --delete --extract --get --update".split(
    " ",
  );
