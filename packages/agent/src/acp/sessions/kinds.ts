import type { ToolKind } from "@agentclientprotocol/sdk";
import type { ShownTool } from "@haft/core";

/** Makes what knows the kind of a tool by any of its names. The tools are listed when one is not known. */
export function createKinds(list: () => readonly ShownTool[]): (name: string) => ToolKind {
  const kinds = new Map<string, ToolKind>();
  return (name) => {
    const known = kinds.get(name);
    if (known !== undefined) return known;
    for (const { name: shown, tool, kind } of list()) kinds.set(shown, kind).set(tool, kind);
    // A long history may name what is gone over and over.
    const found = kinds.get(name) ?? "other";
    kinds.set(name, found);
    return found;
  };
}
