import { hash } from "node:crypto";
import { toCanonicalJson } from "@haft/core/internal";
import type { PinnedTool } from "../store/mcp-server-entry.ts";
import { type ListedTool, maxTools } from "./listed-tool.ts";
import { prepareTool } from "./prepare-tool.ts";

const maxPins = 2 * maxTools;

/**
 * Compares a server's tools with the accepted pins. A tool whose definition changed stays `changed`
 * until a person accepts it, even if the definition changes back. Returns the same array if nothing
 * changed.
 */
export function settlePins(
  pins: readonly PinnedTool[],
  listed: readonly ListedTool[],
): readonly PinnedTool[] {
  const byName = new Map(listed.map((tool) => [tool.name, tool]));
  const known = new Set(pins.map(({ name }) => name));
  const settled = [
    ...pins.flatMap((pin) => settleOne(pin, byName.get(pin.name))),
    ...listed.filter(({ name }) => !known.has(name)).map((tool) => pinTool(tool, "new")),
  ].slice(0, maxPins);
  return toCanonicalJson(settled) === toCanonicalJson(pins) ? pins : settled;
}

/** Creates a pin of a tool's current definition. */
export function pinTool(tool: ListedTool, state: PinnedTool["state"]): PinnedTool {
  return { name: tool.name, hash: hashDefinition(tool), state, ...prepareTool(tool) };
}

function settleOne(pin: PinnedTool, listed: ListedTool | undefined): PinnedTool[] {
  if (listed === undefined) {
    if (pin.state === "new") return [];
    return [pin.state === "accepted" ? { ...pin, state: "gone" } : pin];
  }
  if (pin.state === "new") return [pinTool(listed, "new")];
  if (pin.state === "changed" || hashDefinition(listed) !== pin.hash) {
    return [{ ...pin, state: "changed" }];
  }
  // Translated again, because a newer version of Haft may translate it better.
  return [pinTool(listed, "accepted")];
}

/** Hashes every part of a definition that a model or a person sees. */
function hashDefinition(tool: ListedTool): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return hash(
    "sha256",
    toCanonicalJson({ name, title, description, inputSchema, outputSchema, annotations }),
  );
}
