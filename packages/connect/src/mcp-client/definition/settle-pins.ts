import type { PinnedTool } from "../store/mcp-server-entry.ts";
import { hashDefinition, toCanonicalJson } from "./hash-definition.ts";
import type { ListedTool } from "./listed-tool.ts";
import { prepareTool } from "./prepare-tool.ts";

const mostPins = 1024;

/**
 * Holds what a server offers against what was accepted of it. A tool that is described otherwise
 * stays suspect until somebody accepts it, also if its description changes back. The same array
 * comes back where nothing is different.
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
  ].slice(0, mostPins);
  return toCanonicalJson(settled) === toCanonicalJson(pins) ? pins : settled;
}

/** A tool as it is offered now, in this state. */
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
  // Made anew, for a later Haft may know better how to translate it.
  return [pinTool(listed, "accepted")];
}
