import { randomInt } from "node:crypto";

const letters = "abcdefghijkmnpqrstuvwxyz23456789";

/** Returns a name that no other session has. */
export function makeSessionName(now: Date = new Date()): string {
  const time = now.toISOString().slice(0, 19).replaceAll(/[-:]/gu, "").replace("T", "-");
  return `${time}-${makeWord(4)}`;
}

/** Returns a name for the session of a subagent. */
export function makeChildName(parent: string, agent: string): string {
  return `${parent.slice(0, 40)}.${agent.slice(0, 16)}-${makeWord(5)}`;
}

function makeWord(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
}
