import { utf8Head, utf8Length } from "@haft/contract/internal";
import type { Skill } from "./skills.ts";

/**
 * Lists skills, one line each with name and description, in at most `maxBytes` bytes. If the list is too long, the
 * longest descriptions are cut to the same length before any skill is left out.
 */
export function advertiseSkills(skills: readonly Skill[], maxBytes: number): string {
  const heads = skills.map(({ name }) => `- ${name}`);
  const names = heads.reduce((sum, head) => sum + utf8Length(head) + 1, 0);
  if (names > maxBytes) return listSome(heads, maxBytes);
  const room = maxBytes - names;
  const maxLength = findLength(skills, room);
  return skills
    .map(({ description }, at) => {
      const head = heads[at] as string;
      const text = cut(description, maxLength);
      return text === "" ? head : `${head}: ${text}`;
    })
    .join("\n");
}

const ellipsis = "…";
// A description of less than a few words is of no use.
const minLength = 12;

function cut(text: string, maxLength: number): string {
  if (utf8Length(text) <= maxLength) return text;
  if (maxLength < minLength) return "";
  return `${utf8Head(text, maxLength - utf8Length(ellipsis)).trimEnd()}${ellipsis}`;
}

// The length that fills the room if longer descriptions are cut to it. Short descriptions leave room for the others.
function findLength(skills: readonly Skill[], room: number): number {
  // A colon and a space precede each description.
  const lengths = skills
    .map(({ description }) => utf8Length(description) + 2)
    .sort((a, b) => a - b);
  let left = room;
  for (const [at, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - at));
    if (length > share) return share - 2;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

function listSome(heads: readonly string[], maxBytes: number): string {
  const rest = (count: number): string => `- and ${count} more. haft skills list shows all`;
  let left = maxBytes - utf8Length(rest(heads.length)) - 1;
  const shown: string[] = [];
  for (const head of heads) {
    left -= utf8Length(head) + 1;
    if (left < 0) break;
    shown.push(head);
  }
  return [...shown, rest(heads.length - shown.length)].join("\n");
}
