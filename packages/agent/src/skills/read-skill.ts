import type { Stats } from "node:fs";
import { basename } from "node:path";
import { findNameFaults } from "./find-name-faults.ts";
import { openSkillFile } from "./open-skill-file.ts";
import { type FrontMatter, readFrontMatter } from "./read-front-matter.ts";
import {
  longestCompatibility,
  longestDescription,
  mostBodyBytes,
  skillFields,
} from "./skill-fields.ts";
import type { Skill } from "./skills.ts";
import { toLine } from "./to-line.ts";
import { toText } from "./to-text.ts";

/** A skill with its body, or why it can't be used. */
export type ReadSkill =
  | {
      readonly skill: Omit<Skill, "origin">;
      readonly body: string;
      /** What is not as the format wants it but does no harm, each as a sentence. */
      readonly remarks: readonly string[];
    }
  | { readonly name: string; readonly file: string; readonly fault: string };

/** Hears of a file before it is used; what it says is why it is not. */
export type FindDoubt = (file: Stats) => string | undefined;

const longestUsableName = 200;

/** Reads the skill in a folder, as forgiving as can be; `undefined` if there is none. */
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
  const description = toLine(toText(fields.description) ?? "");
  if (description === "") {
    return refuse("it has no description. Add a line `description: …` to its front matter", name);
  }
  if (Buffer.byteLength(body) > mostBodyBytes) {
    return refuse("its body has more than 200 KB. Move parts of it into files beside it", name);
  }
  const skill = { name, description, directory, file, ...readOptional(fields) };
  return { skill, body: body.trim(), remarks: remarkOn(parts, { name, folder }) };
}

function chooseName(fields: FrontMatter["fields"], folder: string): string {
  const name = toText(fields.name)?.trim() ?? "";
  const isUsable = name !== "" && name.length <= longestUsableName && !/\p{Cc}/u.test(name);
  return isUsable ? name : folder;
}

type Optional = Pick<Skill, "license" | "compatibility" | "allowedTools" | "metadata">;

function readOptional(fields: FrontMatter["fields"]): Optional {
  const license = toText(fields.license);
  const compatibility = toText(fields.compatibility);
  const tools = fields["allowed-tools"];
  const allowedTools = Array.isArray(tools) ? tools.map(String).join(" ") : toText(tools);
  const { metadata } = fields;
  return {
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(allowedTools !== undefined && { allowedTools }),
    ...(isMapping(metadata) && {
      metadata: Object.fromEntries(
        Object.entries(metadata).map(([key, value]) => [
          key,
          toText(value) ?? JSON.stringify(value),
        ]),
      ),
    }),
  };
}

function remarkOn(
  { fields, isRescued }: FrontMatter,
  { name, folder }: { readonly name: string; readonly folder: string },
): readonly string[] {
  const remarks: string[] = [];
  if (isRescued) remarks.push("The front matter is no YAML: put texts with a colon into quotes.");
  if (toText(fields.name)?.trim() === name) remarks.push(...findNameFaults(name, folder));
  else remarks.push("It has no name that can be used, so it has that of its folder.");
  if ((toText(fields.description)?.length ?? 0) > longestDescription) {
    remarks.push(`The description has more than ${longestDescription} characters.`);
  }
  if ((toText(fields.compatibility)?.length ?? 0) > longestCompatibility) {
    remarks.push(`The compatibility has more than ${longestCompatibility} characters.`);
  }
  const unknown = Object.keys(fields).filter((field) => !skillFields.includes(field));
  if (unknown.length > 0) {
    remarks.push(`The format does not know ${toLine(unknown.join(", ")).slice(0, 200)}.`);
  }
  return remarks;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
