import { utf8Head, utf8Length } from "@haft/contract";
import type { Skill } from "./skills.ts";

/**
 * A line for each skill, its name and description, in so many bytes at most. Where it gets too much the
 * longest descriptions are cut, all to the same length, before any skill is left out.
 */
export function advertiseSkills(skills: readonly Skill[], mostBytes: number): string {
  const heads = skills.map(({ name }) => `- ${name}`);
  const names = heads.reduce((sum, head) => sum + utf8Length(head) + 1, 0);
  if (names > mostBytes) return listSome(heads, mostBytes);
  const room = mostBytes - names;
  const longest = findLength(skills, room);
  return skills
    .map(({ description }, at) => {
      const head = heads[at] as string;
      const text = cut(description, longest);
      return text === "" ? head : `${head}: ${text}`;
    })
    .join("\n");
}

const ellipsis = "…";
// A description that is cut to less than a few words tells nothing.
const shortest = 12;

function cut(text: string, longest: number): string {
  if (utf8Length(text) <= longest) return text;
  if (longest < shortest) return "";
  return `${utf8Head(text, longest - utf8Length(ellipsis)).trimEnd()}${ellipsis}`;
}

// The length that fills the room if everything longer is cut to it: the short ones leave theirs to the others.
function findLength(skills: readonly Skill[], room: number): number {
  // Each takes a colon and a space too.
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

function listSome(heads: readonly string[], mostBytes: number): string {
  const rest = (count: number): string => `- and ${count} more, which haft skills list names`;
  let left = mostBytes - utf8Length(rest(heads.length)) - 1;
  const shown: string[] = [];
  for (const head of heads) {
    left -= utf8Length(head) + 1;
    if (left < 0) break;
    shown.push(head);
  }
  return [...shown, rest(heads.length - shown.length)].join("\n");
}
