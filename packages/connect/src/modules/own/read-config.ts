import { ToolError } from "@haft/contract";
import type { ModuleConfig } from "../plan/mount-plan.ts";

/** A number of a config, also where a variable made a text of it. */
export function readNumber(config: ModuleConfig, key: string): number | undefined {
  const value = config[key];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && number > 0 && Number.isFinite(number)) return number;
  throw new ToolError(
    "invalid-arguments",
    `${key} is ${JSON.stringify(value)}, not a number above 0.`,
  );
}

/** A list of texts of a config; one alone counts as a list. */
export function readTexts(config: ModuleConfig, key: string): readonly string[] | undefined {
  const value = config[key];
  if (value === undefined || value === null) return undefined;
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  if (texts.every((text): text is string => typeof text === "string" && text !== "")) return texts;
  throw new ToolError(
    "invalid-arguments",
    `${key} is ${JSON.stringify(value)}, not a list of texts.`,
  );
}
