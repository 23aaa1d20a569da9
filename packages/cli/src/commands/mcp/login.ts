import { spawn } from "node:child_process";
import { createStoredMemory, logIn, serverTypeOf } from "@haft/connect/internal/mcp-client";
import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { UsageError } from "../../usage-error.ts";
import { acceptTools } from "./accept.ts";
import { openServers, requireServer } from "./servers/open-servers.ts";
import { reportFailure } from "./servers/report-failure.ts";

/** `haft mcp login`: logs a person in to a remote server and stores the tokens. */
export async function loginServer(
  { positionals }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const context = openServers(options, io);
  const entry = requireServer(positionals, context.store);
  const { name, settings } = entry;
  const target = serverTypeOf(settings).toLogin(settings, io.environment);
  if (target === undefined) {
    throw new UsageError(`${name} is a program on this machine and needs no login.`);
  }
  try {
    await logIn({
      ...target,
      name,
      memory: createStoredMemory(name, context.store),
      signal: io.signal,
      openUrl: (url) => {
        io.error(`Log in to ${name} here:\n  ${toVisibleLine(url.href)}\n`);
        if (io.interactive) openBrowser(url);
      },
    });
    io.error(`haft: logged in to ${name}\n`);
    return await acceptTools(entry, context, { options, io });
  } catch (error) {
    return reportFailure(toToolError(error, name), options.json, io);
  }
}

// The library's errors about a failed login concern the server, not a bug in Haft.
function toToolError(error: unknown, name: string): ToolError {
  if (ToolError.isInstance(error)) return error;
  return new ToolError("failed", `The login to ${name} failed: ${toErrorMessage(error)}`, {
    cause: error,
  });
}

/** Opens an address in the desktop's browser, if there is one. The address is also printed. */
function openBrowser(url: URL): void {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [url.href], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
