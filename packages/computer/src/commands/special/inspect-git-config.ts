import type { Inspector } from "./inspector.ts";

/** Tells asking git for its configuration from changing it. */
export const inspectGitConfig: Inspector = ({ options, risks }) => {
  const isAsking = risks.length === 0 && options.some(({ name }) => asking.has(name));
  return isAsking ? { effects: ["reads"] } : {};
};

const asking: ReadonlySet<string> = new Set([
  "-l",
  "--list",
  "--get",
  "--get-all",
  "--get-regexp",
  "--get-urlmatch",
]);
