import { firstStartMs, type InspectOptions } from "@haft/connect/internal/mcp-client";
import type { McpServerEntry } from "@haft/connect/mcp-client";
import { toVisibleLine } from "@haft/core/internal";
import type { Io } from "../../../io.ts";
import type { CommonOptions } from "../../../options/common-options.ts";

/** Shows a person how the start of a server's program goes on: what it writes while it is awaited. */
export function showStart(
  { name, settings }: McpServerEntry,
  { json }: CommonOptions,
  io: Io,
): InspectOptions {
  const { signal } = io;
  if (json || settings.type !== "stdio") return { signal };
  const print = (line: string): void => io.error(`haft: ${name}: ${toVisibleLine(line)}\n`);
  if (io.errorIsTerminal === true) {
    print(`starting, for up to ${firstStartMs / 1000} s (the first start may download it)`);
  }
  return { signal, onProgress: print };
}
