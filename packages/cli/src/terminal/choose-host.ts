import type { DiskComputer } from "@haft/computer";
import {
  createInboxHost,
  type InboxHost,
  openSessionInbox,
  stateDirectory,
} from "@haft/computer/internal";
import { ToolError } from "@haft/contract";
import { type Host, headlessHost, type Registry } from "@haft/core";
import { describeRefusal, toVisibleLine } from "@haft/core/internal";
import type { Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { describeConfinement } from "./show-request.ts";
import { approvingHost, createTerminalHost } from "./terminal-host.ts";

/** What a host needs to know of its workspace. */
export interface HostOptions {
  readonly computer: DiskComputer;
  readonly registry: Registry;
  readonly inboxHost: InboxHost | undefined;
}

/** Returns the host that the options select. */
export function chooseHost(options: CommonOptions, io: Io, context: HostOptions): Host {
  if (options.yes) return approvingHost;
  if (options.headless) return context.inboxHost ?? refusingHost;
  return createTerminalHost(io, (tool) => describeConfinement(tool, context));
}

/** Opens the host whose calls wait in the inbox of this machine. A line on standard error names each. */
export function openInboxHost(
  { roots }: DiskComputer,
  { asker, waitMs }: { readonly asker: string; readonly waitMs: number },
  io: Io,
): InboxHost {
  return createInboxHost({
    inbox: openSessionInbox(stateDirectory(io.environment)),
    workspace: roots[0] as string,
    asker,
    waitMs,
    onWaiting: ({ id, name, rules, deadlineAt, questions }) => {
      const answers = rules.length === 0 ? "once|no" : "once|always|no";
      const [what, answer] =
        questions === undefined ? ["approval", answers] : ["an answer", "TEXT"];
      const how = `haft inbox answer ${id} ${answer}`;
      io.error(`${toVisibleLine(`haft: ${name} waits for ${what} until ${deadlineAt}: ${how}`)}\n`);
    },
  });
}

const remedy =
  "To have a person decide, run the command with --wait 2h: haft inbox then lists the call and answers it.";

/** Refuses what needs a person, and names the way to wait for one. */
const refusingHost: Host = {
  ...headlessHost,
  remedy,
  ask: async (request) => {
    const refusal = describeRefusal(request).replace(/\.?$/u, ".");
    throw new ToolError("headless", `${refusal} ${remedy}`);
  },
};
