import { hash } from "node:crypto";
import type { ListedTool } from "./listed-tool.ts";

/** What stands for a definition: another as soon as any part of it that a model or a person sees differs. */
export function hashDefinition(tool: ListedTool): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return hash(
    "sha256",
    toCanonicalJson({ name, title, description, inputSchema, outputSchema, annotations }),
  );
}

/** JSON in which the order of properties makes no difference. */
export function toCanonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  const properties = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => `${JSON.stringify(name)}:${toCanonicalJson(item)}`);
  return `{${properties.join(",")}}`;
}
