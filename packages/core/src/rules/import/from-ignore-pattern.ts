import { compileGlob } from "@haft/contract";
import type { ImportedPattern, Leaning } from "./imported-rules.ts";

/**
 * What a pattern in the manner of `.gitignore` is as one of ours: `//` starts at the root of the
 * disk, `~/` at home, `/` and `./` at the project; without a slash inside it holds at every depth.
 */
export function fromIgnorePattern(text: string, leaning: Leaning): ImportedPattern {
  const given = text.trim();
  if (/^\*{0,2}$/u.test(given)) return { patterns: ["**"] };
  if (given.startsWith("!")) return skip("an exception can't be a rule of its own");
  if (/^(?:\.\/)?\.\.(?:\/|$)/u.test(given)) return skip("it lies outside the workspace");
  const anchored = anchor(given);
  const tree = anchored.endsWith("/") ? `${anchored}**` : anchored;
  // A directory there stands for all that is in it, and so does `/**` here for the directory itself.
  const pattern = leaning === "narrower" || tree.endsWith("/**") ? tree : `${tree}/**`;
  try {
    compileGlob(pattern);
    return { patterns: [pattern] };
  } catch {
    return leaning === "narrower"
      ? skip("its pattern can't be read")
      : { patterns: ["**"], note: "its pattern can't be read, so the rule holds for all files" };
  }
}

function anchor(given: string): string {
  const literal = given.replaceAll(/[{},]/gu, "\\$&");
  if (literal.startsWith("//")) return literal.slice(1);
  if (literal.startsWith("~/")) return literal;
  if (literal.startsWith("./")) return literal.slice(2);
  if (literal.startsWith("/")) return literal.slice(1);
  return literal.replace(/\/$/u, "").includes("/") ? literal : `**/${literal}`;
}

function skip(why: string): ImportedPattern {
  return { patterns: undefined, why };
}
