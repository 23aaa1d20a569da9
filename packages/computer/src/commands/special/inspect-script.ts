import type { Inspector } from "./inspector.ts";

/** Tells an interpreter that is given a script from one that runs what comes in. */
export const inspectScript: Inspector = ({ options, operands, risks }, { words }) => {
  const [first] = operands;
  if (first !== undefined && words[first] !== "-") return {};
  const asked = /python|pypy/u.test(words[0] ?? "") ? askingPython : asking;
  const isAsked = options.length > 0 && options.every(({ name }) => asked.has(name));
  if (first === undefined && isAsked) return { effects: ["reads"] };
  if (first === undefined && risks.some(({ kind }) => kind === "runs")) return {};
  const why = `${words[0]} runs what it reads from its input`;
  return { findings: [{ word: 0, kind: "doubts", why }] };
};

const asking: ReadonlySet<string> = new Set(["-v", "-V", "-h", "--version", "--help"]);
// To it, `-v` is to tell more while it runs.
const askingPython: ReadonlySet<string> = new Set(["-V", "-h", "--version", "--help"]);
