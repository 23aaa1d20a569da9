import {
  type McpServerEntry,
  type PinnedTool,
  toPlainLine,
  toToolId,
} from "@haft/connect/mcp-client";
import { toVisibleLine } from "@haft/core";
import type { Io } from "../../../io.ts";

const remarks: Readonly<Record<PinnedTool["state"], string>> = {
  accepted: "",
  changed: "CHANGED ",
  new: "NEW ",
  gone: "GONE ",
};

/** Prints a server's tools, one in a line, with what became of them since they were accepted. */
export function printTools({ name, tools }: McpServerEntry, io: Io): void {
  if (tools.length === 0) io.out("  no tools\n");
  for (const pin of tools) {
    const id = toToolId(name, pin.name);
    const remark = pin.fault === undefined ? remarks[pin.state] : `CAN'T BE USED (${pin.fault}) `;
    const [line = ""] = pin.description.split("\n", 1);
    io.out(`  ${toVisibleLine(`${id}  ${remark}${toPlainLine(line, 100)}`)}\n`);
  }
}
