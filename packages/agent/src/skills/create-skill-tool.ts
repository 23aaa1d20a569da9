import { createHash, randomUUID } from "node:crypto";
import { defineTool, type JsonValue, type Tool, ToolError } from "@haft/contract";
import { nearestNames } from "@haft/core/internal";
import { advertiseSkills } from "./advertise-skills.ts";
import { loadSkill } from "./load-skill.ts";
import type { Skill, Skills } from "./skills.ts";

/** Arguments of `skill`. */
export interface SkillArguments {
  name: string;
  reload?: boolean;
}

/** Result of `skill`. */
export interface SkillData {
  name: string;
  /** The directory that its paths are relative to. */
  directory: string;
  content: string;
}

/** Options of `createSkillTool`. */
export interface SkillToolOptions {
  /** Whether the tool's description lists the skills, for agents whose system prompt does not. */
  readonly advertises: boolean;
}

const maxAdvertised = 8 * 1024;

const purpose = [
  "Loads a skill: instructions for one kind of work, with a list of its files.",
  "Load the matching skill before you do such work, and follow it.",
].join(" ");

/** Creates the tool that loads skills. Skills are discovered on first use. */
export function createSkillTool(skills: () => Skills, { advertises }: SkillToolOptions): Tool {
  const memory = createMemory();
  const tool: Tool<SkillArguments, SkillData> = defineTool({
    id: "skill",
    description: purpose,
    parameters: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, description: "The name." },
        reload: {
          type: "boolean",
          description: "Even if loaded before.",
        },
      },
      required: ["name"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        name: { type: "string" },
        directory: {
          type: "string",
          description: "Directory that the skill's paths are relative to.",
        },
        content: { type: "string" },
      },
      required: ["name", "directory", "content"],
      additionalProperties: false,
    },
    requires: {},
    kind: "think",
    source: "builtin",
    execution: { resourceKeys: () => [] },
    // The body may have 200 KB, and none of it may be cut.
    maxOutput: { bytes: 512 * 1024, field: "content" },
    execute: async ({ name, reload = false }, { session, signal }) => {
      if (signal.aborted) throw new ToolError("cancelled", "Aborted before the skill was loaded.");
      const found = skills();
      const skill = findSkill(name, found);
      const doubt = found.findDoubt?.(skill);
      if (doubt !== undefined) {
        throw new ToolError("not-available", `The skill ${skill.name} can't be loaded: ${doubt}`);
      }
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
  // A getter, so that skills are not discovered before the description is read.
  return Object.defineProperty(tool, "description", {
    get: () => describe(skills()),
    enumerable: true,
  }) as Tool;
}

function describe(skills: Skills): string {
  const list = skills.list();
  if (list.length === 0) return `${purpose} There are no skills here at the moment.`;
  return `${purpose}\n\nSkills:\n${advertiseSkills(list, maxAdvertised)}`;
}

function findSkill(name: string, skills: Skills): Skill {
  const found = skills.get(name.trim());
  if (found !== undefined) return found;
  const waiting = skills.untrusted?.find((one) => one.name === name.trim());
  if (waiting !== undefined) {
    throw new ToolError(
      "not-available",
      `The skill ${waiting.name} comes from this project and contains commands, and ${waiting.path} is not trusted yet. Ask the user to review it with: haft trust`,
    );
  }
  const names = skills.list().map((skill) => skill.name);
  const near = nearestNames(name, names);
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  const shown = names.slice(0, 100).join(", ");
  const rest = names.length > 100 ? ` and ${names.length - 100} more` : "";
  const known = names.length === 0 ? " No skills are available." : ` Skills: ${shown}${rest}.`;
  throw new ToolError("not-found", `There is no skill ${JSON.stringify(name)}.${hint}${known}`);
}

function noteKnown({ name }: Skill): string {
  return `The skill ${name} was already loaded in this session and has not changed: follow it. If you no longer see its content, call this again with reload: true.`;
}

interface Memory {
  /** Tells whether the same content was loaded in this session before. */
  meet(name: string, content: string, session: SessionLike): Promise<boolean>;
}

interface SessionLike {
  readonly state: {
    get(key: string): Promise<JsonValue | undefined>;
    set(key: string, value: JsonValue): Promise<void>;
  };
}

// A session's state outlives the process, but its conversation may not: an agent in a later process may never
// have seen the skill. Sending it twice is better than not at all.
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
