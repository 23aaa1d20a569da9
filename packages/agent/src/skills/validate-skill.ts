import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { isPlainObject } from "@haft/contract/internal";
import { findNameFaults } from "./find-name-faults.ts";
import { openSkillFile } from "./open-skill-file.ts";
import { type FrontMatter, readFrontMatter } from "./read-front-matter.ts";
import {
  maxBodyBytes,
  maxCompatibilityLength,
  maxDescriptionLength,
  skillFields,
} from "./skill-fields.ts";
import { toText } from "./to-text.ts";

/** Result of `validateSkill`. */
export interface SkillReport {
  /** Violations of the format. */
  readonly errors: readonly string[];
  /** What the format allows but some programs may not handle. */
  readonly warnings: readonly string[];
}

/** Checks a skill's folder or its `SKILL.md` strictly against the format. */
export function validateSkill(path: string): SkillReport {
  const given = resolve(path);
  const isFile = basename(given).toLowerCase() === "skill.md" && statOf(given)?.isFile() === true;
  const directory = isFile ? dirname(given) : given;
  const stat = statOf(directory);
  if (stat === undefined) return fail(`${directory} does not exist.`);
  if (!stat.isDirectory()) return fail(`${directory} is not a directory.`);
  const { file, read } = openSkillFile(directory);
  if ("fault" in read) {
    return fail(read.isMissing ? "There is no SKILL.md." : `The file ${read.fault}.`);
  }
  if (read.hasMark || /^\s/u.test(read.text)) {
    return fail(
      "There is something before the first line ---, such as a byte order mark: remove it.",
    );
  }
  const parts = readFrontMatter(read.text);
  if ("fault" in parts) return fail(`The file ${parts.fault}.`);
  if (parts.isRescued) {
    return fail("The front matter is not valid YAML: put values that contain a colon in quotes.");
  }
  const errors = [...checkFields(parts.fields, basename(directory)), ...checkSize(parts)];
  const warnings = [...remarkOn(parts)];
  if (basename(file) !== "SKILL.md") warnings.push("The file should be called SKILL.md.");
  return { errors, warnings };
}

function fail(error: string): SkillReport {
  return { errors: [error], warnings: [] };
}

function statOf(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A circular link, or a directory without permission.
    return undefined;
  }
}

function checkFields(fields: FrontMatter["fields"], folder: string): readonly string[] {
  const errors: string[] = [];
  const unknown = Object.keys(fields).filter((field) => !skillFields.includes(field));
  if (unknown.length > 0) {
    const fit = "Put custom fields under metadata.";
    errors.push(`Unknown fields: ${unknown.sort().join(", ")}. ${fit}`);
  }
  const name = toText(fields.name)?.trim() ?? "";
  if (name === "") errors.push("The name is missing: add a string of 1 to 64 characters.");
  else errors.push(...findNameFaults(name, folder));
  const description = toText(fields.description) ?? "";
  if (description.trim() === "") {
    errors.push("The description is missing: say what the skill does and when to use it.");
  }
  if (description.length > maxDescriptionLength) {
    errors.push(
      `The description has ${description.length} characters; the maximum is ${maxDescriptionLength}.`,
    );
  }
  const { compatibility } = fields;
  if (compatibility === undefined) return errors;
  if (typeof compatibility !== "string") errors.push("The compatibility must be a string.");
  else if (compatibility.length > maxCompatibilityLength) {
    errors.push(
      `The compatibility has ${compatibility.length} characters; the maximum is ${maxCompatibilityLength}.`,
    );
  }
  return errors;
}

function checkSize({ body }: FrontMatter): readonly string[] {
  if (Buffer.byteLength(body) <= maxBodyBytes) return [];
  return ["The body is larger than 200 KB: move parts of it into separate files."];
}

const maxLines = 500;

function remarkOn({ fields, body }: FrontMatter): readonly string[] {
  const warnings: string[] = [];
  for (const field of ["name", "description"]) {
    const value = fields[field];
    if (toText(value) !== undefined && typeof value !== "string") {
      warnings.push(`YAML does not parse the ${field} as a string: put it in quotes.`);
    }
  }
  for (const field of ["license", "allowed-tools"]) {
    const value = fields[field];
    if (value !== undefined && typeof value !== "string") {
      warnings.push(`The field ${field} should be a string.`);
    }
  }
  const { metadata } = fields;
  if (metadata !== undefined && !isTextMapping(metadata)) {
    warnings.push("The metadata should be a map of strings.");
  }
  if (/[^\p{ASCII}]/u.test(toText(fields.name) ?? "")) {
    warnings.push("Many programs accept only a to z, digits and hyphens in a name.");
  }
  if (body.trim() === "") warnings.push("The body is empty: add instructions.");
  const lines = body.split("\n").length;
  if (lines > maxLines) {
    warnings.push(
      `The body has ${lines} lines; with more than ${maxLines}, move parts into separate files.`,
    );
  }
  return warnings;
}

function isTextMapping(value: unknown): boolean {
  return isPlainObject(value) && Object.values(value).every((item) => typeof item === "string");
}
