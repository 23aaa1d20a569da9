import type { Inspector } from "./inspector.ts";

/** Finds programs for awk that may run others, write files or read what is not among the operands. */
export const inspectAwk: Inspector = ({ options, operands }, { words }) => {
  const [word] = operands;
  if (word === undefined || options.some(({ option }) => option?.risk === "runs")) return {};
  const text = words[word];
  if (text === undefined || !risky.test(text.replaceAll(/\|\||>=/gu, " "))) return {};
  return { findings: [{ word, kind: "runs", why }] };
};

// Strings are not told from code: what stands in one can be called.
const risky = /system|getline|[|>@]|ARGV|\\\n/u;

const why = "a program for awk with pipes, redirections or calls can run programs and write files";
