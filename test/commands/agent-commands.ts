import { readFileSync } from "node:fs";

const [first = [], second = []] = readFileSync(
  new URL("../../packages/haft/src/agent-commands.txt", import.meta.url),
  "utf8",
)
  .split(/^# (?:ordinary|dangerous)$/mu)
  .slice(1)
  .map((part) => part.split("\n").filter((line) => line !== ""))
  .map((lines) => lines.map((line) => line.replaceAll("⏎", "\n")));

/** Commands as coding agents run them all day. */
export const ordinary: readonly string[] = first;

/** Commands that can do harm. */
export const dangerous: readonly string[] = second;
