import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { findNameFaults } from "./find-name-faults.ts";
import { openSkillFile } from "./open-skill-file.ts";
import { type FrontMatter, readFrontMatter } from "./read-front-matter.ts";
import {
  longestCompatibility,
  longestDescription,
  mostBodyBytes,
  skillFields,
} from "./skill-fields.ts";
import { toText } from "./to-text.ts";

/** What is wrong with a skill. */
export interface SkillReport {
  /** Where it breaks the format. */
  readonly errors: readonly string[];
  /** What the format lets pass but its readers may not take well. */
  readonly warnings: readonly string[];
}

/** Checks a skill's folder, or its `SKILL.md`, against the format to the letter. */
export function validateSkill(path: string): SkillReport {
  const given = resolve(path);
  const isFile = basename(given).toLowerCase() === "skill.md" && statOf(given)?.isFile() === true;
  const directory = isFile ? dirname(given) : given;
  const stat = statOf(directory);
  if (stat === undefined) return fail(`There is no ${directory}.`);
  if (!stat.isDirectory()) return fail(`${directory} is no directory.`);
  const { file, read } = openSkillFile(directory);
  if ("fault" in read) {
    return fail(read.isMissing ? "There is no SKILL.md." : `The file ${read.fault}.`);
  }
  if (read.hasMark || /^\s/u.test(read.text)) {
    return fail(
      "Something stands before the first line ---, such as a byte order mark: remove it.",
    );
  }
  const parts = readFrontMatter(read.text);
  if ("fault" in parts) return fail(`The file ${parts.fault}.`);
  if (parts.isRescued) {
    return fail("The front matter is no YAML: put texts with a colon into quotes.");
  }
  const errors = [...checkFields(parts.fields, basename(directory)), ...checkSize(parts)];
  const warnings = [...remarkOn(parts)];
  if (basename(file) !== "SKILL.md") warnings.push("The file is to be called SKILL.md.");
  return { errors, warnings };
}

function fail(error: string): SkillReport {
  return { errors: [error], warnings: [] };
}

function statOf(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A link that leads in circles, or a directory that may not be looked into.
    return undefined;
  }
}

function checkFields(fields: FrontMatter["fields"], folder: string): readonly string[] {
  const errors: string[] = [];
  const unknown = Object.keys(fields).filter((field) => !skillFields.includes(field));
  if (unknown.length > 0) {
    const fit = "Put fields of your own below metadata.";
    errors.push(`The format does not know ${unknown.sort().join(", ")}. ${fit}`);
  }
  const name = toText(fields.name)?.trim() ?? "";
  if (name === "") errors.push("The name is missing: a text of 1 to 64 characters.");
  else errors.push(...findNameFaults(name, folder));
  const description = toText(fields.description) ?? "";
  if (description.trim() === "") {
    errors.push("The description is missing: say what the skill does and when to use it.");
  }
  if (description.length > longestDescription) {
    errors.push(
      `The description has ${description.length} characters; ${longestDescription} are the most.`,
    );
  }
  const { compatibility } = fields;
  if (compatibility === undefined) return errors;
  if (typeof compatibility !== "string") errors.push("The compatibility is to be a text.");
  else if (compatibility.length > longestCompatibility) {
    errors.push(
      `The compatibility has ${compatibility.length} characters; ${longestCompatibility} are the most.`,
    );
  }
  return errors;
}

function checkSize({ body }: FrontMatter): readonly string[] {
  if (Buffer.byteLength(body) <= mostBodyBytes) return [];
  return ["The body has more than 200 KB: move parts of it into files beside it."];
}

const mostLines = 500;

function remarkOn({ fields, body }: FrontMatter): readonly string[] {
  const warnings: string[] = [];
  for (const field of ["name", "description"]) {
    const value = fields[field];
    if (toText(value) !== undefined && typeof value !== "string") {
      warnings.push(`YAML takes the ${field} for no text: put it into quotes.`);
    }
  }
  for (const field of ["license", "allowed-tools"]) {
    const value = fields[field];
    if (value !== undefined && typeof value !== "string") {
      warnings.push(`The field ${field} is to be a text.`);
    }
  }
  const { metadata } = fields;
  if (metadata !== undefined && !isTextMapping(metadata)) {
    warnings.push("The metadata is to be a mapping from texts to texts.");
  }
  if (/[^\p{ASCII}]/u.test(toText(fields.name) ?? "")) {
    warnings.push("Many programs take only a to z, digits and hyphens in a name.");
  }
  if (body.trim() === "") warnings.push("The body is empty: there is nothing to follow.");
  const lines = body.split("\n").length;
  if (lines > mostLines) {
    warnings.push(
      `The body has ${lines} lines; past ${mostLines} move parts into files beside it.`,
    );
  }
  return warnings;
}

function isTextMapping(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((item) => typeof item === "string");
}
