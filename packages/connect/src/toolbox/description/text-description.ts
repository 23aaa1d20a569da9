import { type Parameter, readParameter, toSchema } from "./parameter.ts";
import type { ToolDescription } from "./tool-description.ts";

const line = /^([\w.-]+):[ \t]*(.*)$/u;

/** Reads `name:`, `description:` and `PARAMETER: TYPE TEXT` lines. Other lines are ignored. */
export function readTextDescription(output: string): ToolDescription | string {
  let name: string | undefined;
  const description: string[] = [];
  const parameters = new Map<string, Parameter>();
  for (const [, key = "", value = ""] of output
    .split(/\r?\n/u)
    .map((text) => line.exec(text) ?? [])) {
    if (key === "") continue;
    if (key === "name") name = value.trim();
    else if (key === "description") description.push(value.trim());
    else {
      const [, type = "", text = ""] = /^(\S*)\s*(.*)$/su.exec(value) ?? [];
      const parameter = readParameter(key, type, text);
      if (typeof parameter === "string") return parameter;
      parameters.set(key, parameter);
    }
  }
  if (description.every((text) => text === "")) {
    return "has no description: it prints neither JSON nor a line 'description: …'";
  }
  return {
    format: "text",
    ...(name !== undefined && { name }),
    description: description.join("\n"),
    parameters: toSchema([...parameters.values()]),
  };
}
