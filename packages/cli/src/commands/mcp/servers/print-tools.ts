import { toToolId } from "@haft/connect/internal/mcp-client";
import type { McpServerEntry, PinnedTool } from "@haft/connect/mcp-client";
import { toPlainLine, toVisibleLine } from "@haft/core/internal";
import type { Io } from "../../../io.ts";

const remarks: Readonly<Record<PinnedTool["state"], string>> = {
  accepted: "",
  changed: "CHANGED ",
  new: "NEW ",
  gone: "GONE ",
};

/** Prints a server's tools, one per line, with what changed since they were accepted. */
export function printTools({ name, tools }: McpServerEntry, io: Io): void {
  if (tools.length === 0) io.out("  no tools\n");
  for (const pin of tools) {
    const id = toToolId(name, pin.name);
    const remark = pin.fault === undefined ? remarks[pin.state] : `UNUSABLE (${pin.fault}) `;
    const [line = ""] = pin.description.split("\n", 1);
    io.out(`  ${toVisibleLine(`${id}  ${remark}${toPlainLine(line, 100)}`)}\n`);
  }
}
