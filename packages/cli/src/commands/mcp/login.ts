import {
  createServerFetch,
  createStoredMemory,
  logIn,
  readHeaders,
} from "@haft/connect/mcp-client";
import { ToolError } from "@haft/contract";
import { toVisibleLine } from "@haft/core";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { UsageError } from "../../usage-error.ts";
import { acceptTools } from "./accept.ts";
import { openBrowser } from "./servers/open-browser.ts";
import { openPlace, requireServer } from "./servers/open-place.ts";
import { reportFailure } from "./servers/report-failure.ts";

/** `haft mcp login`: has a person log in to a server on the net, and keeps the tokens for it. */
export async function loginServer(
  { positionals }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const place = openPlace(options, io);
  const entry = requireServer(positionals, place.store);
  const { name, settings } = entry;
  if (settings.type !== "http") {
    throw new UsageError(`${name} is a program on this machine; there is nobody to log in to.`);
  }
  try {
    await logIn({
      name,
      url: settings.url,
      headers: readHeaders(settings, io.environment),
      fetch: createServerFetch(settings),
      memory: createStoredMemory(name, place.store),
      clientId: settings.clientId,
      signal: io.signal,
      openUrl: (url) => {
        io.error(`Log in to ${name} here:\n  ${toVisibleLine(url.href)}\n`);
        if (io.interactive) openBrowser(url);
      },
    });
    io.error(`haft: logged in to ${name}\n`);
    return await acceptTools(entry, place, { options, io });
  } catch (error) {
    return reportFailure(toToolError(error, name), options.json, io);
  }
}

// What the library says of a login that failed is about the server, not about a fault of ours.
function toToolError(error: unknown, name: string): ToolError {
  if (ToolError.isInstance(error)) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new ToolError("failed", `The login to ${name} failed: ${why}`, { cause: error });
}
