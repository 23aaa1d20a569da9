import { isAbsolute, relative } from "node:path";
import type { JsonValue } from "@haft/contract";
import { toVisibleLine } from "@haft/core/internal";
import { pathKeys } from "./path-keys.ts";

/** The parts of a call that its title shows. */
export interface TitledCall {
  /** Name that the model used. */
  readonly name: string;
  readonly arguments: JsonValue;
  /** Base of relative paths. */
  readonly cwd: string;
}

const maxLength = 120;

/** Returns a short description of a call: `read src/a.ts`, `bash: npm test`. */
export function toCallTitle({ name, arguments: given, cwd }: TitledCall): string {
  const fields = typeof given === "object" && given !== null ? given : {};
  const text = (...keys: readonly string[]): string | undefined =>
    keys
      .map((key) => (fields as Record<string, JsonValue>)[key])
      .find((value): value is string => typeof value === "string" && value !== "");
  const path = (...keys: readonly string[]): string | undefined => {
    const found = text(...keys);
    return found === undefined ? undefined : shorten(found, cwd);
  };

  const command = text("command", "cmd");
  if (command !== undefined) return clip(`${name}: ${command}`);
  const [from, to] = [path("from"), path("to")];
  if (from !== undefined && to !== undefined) return clip(`${name} ${from} → ${to}`);
  const sought = text("pattern", "query");
  const place = path(...pathKeys);
  if (sought !== undefined) return clip(`${name} ${sought}${place ? ` in ${place}` : ""}`);
  if (place !== undefined) return clip(`${name} ${place}`);
  const [agent, task] = [text("subagent_type", "agent"), text("prompt", "task", "description")];
  if (agent !== undefined) return clip(`${name} ${agent}${task ? `: ${task}` : ""}`);
  const about = text("url", "name", "id") ?? task;
  return clip(about === undefined ? name : `${name} ${about}`);
}

function shorten(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(cwd, path);
  return inside === "" || inside.startsWith("..") ? path : inside;
}

function clip(text: string): string {
  const [line = ""] = text.split("\n", 1);
  const isCut = line.length > maxLength || line.length < text.trimEnd().length;
  const characters = [...toVisibleLine(line.trim())];
  return isCut ? `${characters.slice(0, maxLength - 1).join("")}…` : characters.join("");
}
