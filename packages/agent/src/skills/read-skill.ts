import type { Stats } from "node:fs";
import { basename } from "node:path";
import { isPlainObject } from "@haft/contract/internal";
import { toPlainLine, toPlainText } from "@haft/core/internal";
import { findCommands } from "./find-commands.ts";
import { findNameFaults } from "./find-name-faults.ts";
import { openSkillFile } from "./open-skill-file.ts";
import { type FrontMatter, readFrontMatter } from "./read-front-matter.ts";
import {
  maxBodyBytes,
  maxCompatibilityLength,
  maxDescriptionLength,
  skillFields,
} from "./skill-fields.ts";
import type { Skill } from "./skills.ts";
import { toText } from "./to-text.ts";

/** A skill with its body, or the reason why it can't be used. */
export type ReadSkill =
  | {
      readonly skill: Omit<Skill, "origin">;
      readonly body: string;
      /** Why it counts as containing commands, as the rest of a sentence. */
      readonly commands: string | undefined;
      /** Harmless violations of the format, one sentence each. */
      readonly remarks: readonly string[];
    }
  | { readonly name: string; readonly file: string; readonly fault: string };

/** Returns why a file must not be used, if so. */
export type FindDoubt = (file: Stats) => string | undefined;

const maxUsableNameLength = 200;

/** Reads the skill in a folder, tolerating mistakes. Returns `undefined` if there is none. */
export function readSkill(directory: string, findDoubt?: FindDoubt): ReadSkill | undefined {
  const folder = basename(directory);
  const { file, read } = openSkillFile(directory);
  if ("fault" in read) {
    return read.isMissing ? undefined : { name: folder, file, fault: `the file ${read.fault}` };
  }
  const refuse = (fault: string, name = folder): ReadSkill => ({ name, file, fault });
  const doubt = findDoubt?.(read.stat);
  if (doubt !== undefined) return refuse(`the file ${doubt}`);
  const parts = readFrontMatter(read.text);
  if ("fault" in parts) return refuse(`the file ${parts.fault}`);
  const { fields, body } = parts;
  const name = chooseName(fields, folder);
  const description = toPlainLine(toText(fields.description) ?? "");
  if (description === "") {
    return refuse("it has no description. Add a line `description: …` to its front matter", name);
  }
  if (Buffer.byteLength(body) > maxBodyBytes) {
    return refuse("its body is larger than 200 KB. Move parts of it into separate files", name);
  }
  const skill = { name, description, directory, file, ...readOptional(fields) };
  return {
    skill,
    body: toPlainText(body).trim(),
    commands: findCommands(directory, parts),
    remarks: remarkOn(parts, { name, folder }),
  };
}

function chooseName(fields: FrontMatter["fields"], folder: string): string {
  const name = toText(fields.name)?.trim() ?? "";
  const isUsable = name !== "" && name.length <= maxUsableNameLength && name === toPlainLine(name);
  return isUsable ? name : toPlainLine(folder);
}

type Optional = Pick<Skill, "license" | "compatibility" | "allowedTools" | "metadata">;

function readOptional(fields: FrontMatter["fields"]): Optional {
  const license = toPlain(fields.license);
  const compatibility = toPlain(fields.compatibility);
  const tools = fields["allowed-tools"];
  const allowedTools = toPlain(Array.isArray(tools) ? tools.map(String).join(" ") : tools);
  const { metadata } = fields;
  return {
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(allowedTools !== undefined && { allowedTools }),
    ...(isPlainObject(metadata) && {
      metadata: Object.fromEntries(
        Object.entries(metadata).map(([key, value]) => [
          toPlainLine(key),
          toPlain(value) ?? toPlainLine(JSON.stringify(value)),
        ]),
      ),
    }),
  };
}

// People and models see these: they must not contain hidden characters.
function toPlain(value: unknown): string | undefined {
  const text = toText(value);
  return text === undefined ? undefined : toPlainLine(text);
}

function remarkOn(
  { fields, isRescued }: FrontMatter,
  { name, folder }: { readonly name: string; readonly folder: string },
): readonly string[] {
  const remarks: string[] = [];
  if (isRescued)
    remarks.push("The front matter is not valid YAML: put values that contain a colon in quotes.");
  if (toText(fields.name)?.trim() === name) remarks.push(...findNameFaults(name, folder));
  else remarks.push("It has no usable name, so the folder's name is used.");
  if ((toText(fields.description)?.length ?? 0) > maxDescriptionLength) {
    remarks.push(`The description is longer than ${maxDescriptionLength} characters.`);
  }
  if ((toText(fields.compatibility)?.length ?? 0) > maxCompatibilityLength) {
    remarks.push(`The compatibility is longer than ${maxCompatibilityLength} characters.`);
  }
  const unknown = Object.keys(fields).filter((field) => !skillFields.includes(field));
  if (unknown.length > 0) {
    remarks.push(`Unknown fields: ${toPlainLine(unknown.join(", "), 200)}.`);
  }
  return remarks;
}
