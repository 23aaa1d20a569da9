import { createHash, randomUUID } from "node:crypto";
import { defineTool, type JsonValue, type Tool, ToolError } from "@haft/contract";
import { nearestNames } from "@haft/core";
import { advertiseSkills } from "./advertise-skills.ts";
import { loadSkill } from "./load-skill.ts";
import type { Skill, Skills } from "./skills.ts";

/** The arguments of `skill`. */
export interface SkillArguments {
  name: string;
  reload?: boolean;
}

/** A skill that was loaded. */
export interface SkillData {
  name: string;
  /** The folder that its paths are relative to. */
  directory: string;
  content: string;
}

/** How the tool is made. */
export interface SkillToolOptions {
  /** Whether its description lists the skills, for agents that are told of them nowhere else. */
  readonly advertises: boolean;
}

const mostAdvertised = 8 * 1024;

const purpose = [
  "Loads a skill: instructions for one kind of work, written by people who know it, with the files that belong to it.",
  "Load the one that fits before you do such work, and follow what it says. It only reads: it runs nothing.",
].join(" ");

/** Makes the tool that loads skills. What is there is looked for when it is first needed. */
export function createSkillTool(skills: () => Skills, { advertises }: SkillToolOptions): Tool {
  const memory = createMemory();
  const tool: Tool<SkillArguments, SkillData> = defineTool({
    id: "skill",
    description: purpose,
    parameters: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, description: "The skill's name." },
        reload: {
          type: "boolean",
          description: "Have it again though it was loaded before; false if left out.",
        },
      },
      required: ["name"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        name: { type: "string" },
        directory: { type: "string", description: "What its paths are relative to." },
        content: { type: "string" },
      },
      required: ["name", "directory", "content"],
      additionalProperties: false,
    },
    requires: {},
    kind: "think",
    source: "builtin",
    execution: { resourceKeys: () => [] },
    // The body alone may have 200 KB; nothing of it is to be lost.
    maxOutput: { bytes: 512 * 1024, field: "content" },
    execute: async ({ name, reload = false }, { session, signal }) => {
      if (signal.aborted) throw new ToolError("cancelled", "Loaded nothing: aborted.");
      const skill = findSkill(name, skills());
      const { content } = loadSkill(skill);
      const isKnown = await memory.meet(skill.name, content, session);
      return {
        name: skill.name,
        directory: skill.directory,
        content: isKnown && !reload ? noteKnown(skill) : content,
      };
    },
  });
  if (!advertises) return tool as Tool;
  // Read anew each time: what is found only then need not be looked for before.
  return Object.defineProperty(tool, "description", {
    get: () => describe(skills()),
    enumerable: true,
  }) as Tool;
}

function describe(skills: Skills): string {
  const list = skills.list();
  if (list.length === 0) return `${purpose} There are no skills here now.`;
  return `${purpose}\n\nSkills:\n${advertiseSkills(list, mostAdvertised)}`;
}

function findSkill(name: string, skills: Skills): Skill {
  const found = skills.get(name.trim());
  if (found !== undefined) return found;
  const names = skills.list().map((skill) => skill.name);
  const near = nearestNames(name, names);
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  const shown = names.slice(0, 100).join(", ");
  const rest = names.length > 100 ? ` and ${names.length - 100} more` : "";
  const known = names.length === 0 ? " There are none here." : ` Skills: ${shown}${rest}.`;
  throw new ToolError("not-found", `There is no skill ${JSON.stringify(name)}.${hint}${known}`);
}

function noteKnown({ name }: Skill): string {
  return `The skill ${name} was loaded before in this session and has not changed: follow what is there. If you can't see it any more, call this again with reload.`;
}

interface Memory {
  /** Whether this very content was loaded in the session before. */
  meet(name: string, content: string, session: SessionLike): Promise<boolean>;
}

interface SessionLike {
  readonly state: {
    get(key: string): Promise<JsonValue | undefined>;
    set(key: string, value: JsonValue): Promise<void>;
  };
}

// A session's state outlives the process, but a conversation need not: who comes later with another
// process may never have seen the skill, and is better told once more than not at all.
function createMemory(): Memory {
  const run = randomUUID();
  return {
    meet: async (name, content, { state }) => {
      const key = `skill:${name}`;
      const mark = `${run}:${createHash("sha256").update(content).digest("hex")}`;
      if ((await state.get(key)) === mark) return true;
      await state.set(key, mark);
      return false;
    },
  };
}
