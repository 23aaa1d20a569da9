import { type Isolation, type JsonValue, type Runtime, ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { Clock, Tracing } from "@haft/core";
import { toPlainLine, toPlainText, untilAborted } from "@haft/core/internal";
import type { Warn } from "../../tool-source.ts";
import { answerElicitation, type Elicited } from "../connection/answer-elicitation.ts";
import { callTool } from "../connection/call-tool.ts";
import type { McpConnection } from "../connection/connect-mcp.ts";
import { listTools } from "../connection/list-tools.ts";
import type { ListedTool } from "../definition/listed-tool.ts";
import { settlePins } from "../definition/settle-pins.ts";
import type { McpServerEntry, PinnedTool } from "../store/mcp-server-entry.ts";
import type { McpStore } from "../store/mcp-store.ts";
import { createBackOff } from "./back-off.ts";

/** One server. It is connected when first needed, and again after the connection ended. */
export interface ServerLink {
  /** The server's isolation, once it is known. */
  readonly isolation: Isolation | undefined;
  /** Calls a pinned tool. Throws `unavailable` if the pin no longer matches. */
  call(pin: PinnedTool, args: ServerArguments, runtime: CallRuntime): Promise<JsonValue>;
  /** Tells whether the connected server no longer has the tool. */
  isGone(pin: PinnedTool): boolean;
  close(): Promise<void>;
}

export type ServerArguments = Readonly<Record<string, unknown>>;
export type CallRuntime = Pick<Runtime, "signal" | "progress" | "host">;

/** Options of `createServerLink`. */
export interface ServerLinkOptions {
  readonly name: string;
  readonly store: McpStore;
  readonly warn: Warn;
  readonly clock: Clock;
  readonly tracing?: Tracing | undefined;
  /** Connects to the stored server. */
  connect(entry: McpServerEntry, events: ConnectEvents): Promise<McpConnection>;
  /** Called when tools were added or removed. */
  onToolsChanged(): void;
}

/** Callbacks of a new connection. */
export interface ConnectEvents {
  readonly signal: AbortSignal;
  onToolsChanged(): void;
  onElicit(params: unknown): Promise<Elicited>;
  onIsolation(isolation: Isolation, warning: string | undefined): void;
  onNote(note: string): void;
}

interface Live {
  readonly connection: McpConnection;
  listed: ReadonlyMap<string, ListedTool>;
}

/** Creates a link without connecting. */
export function createServerLink(options: ServerLinkOptions): ServerLink {
  const { name, store, warn } = options;
  const backOff = createBackOff(options.clock);
  const closing = new AbortController();
  const warned = new Set<string>();
  let isolation: Isolation | undefined;
  let connecting: Promise<Live> | undefined;
  let live: Live | undefined;
  const running = new Set<CallRuntime>();

  // A server asks while it works on a call. Which call it is about is not part of the request.
  const elicit = async (params: unknown): Promise<Elicited> => {
    const runtime = [...running].at(-1);
    if (runtime === undefined) return { action: "cancel" };
    // A person may take longer than the call's time limit.
    const pulse = setInterval(() => runtime.progress(), pulseMs);
    try {
      return await answerElicitation(name, params, runtime.host.question);
    } finally {
      clearInterval(pulse);
    }
  };

  const warnOnce = (message: string): void => {
    if (warned.has(message)) return;
    warned.add(message);
    warn(`MCP server ${name}: ${toPlainLine(message, 500)}`);
  };

  const take = async (connection: McpConnection): Promise<Live["listed"]> => {
    const { tools, warnings } = await listTools(connection, closing.signal);
    for (const warning of warnings) warnOnce(warning);
    store.update(name, (entry) => {
      const settled = settlePins(entry.tools, tools);
      const legacy = connection.isLegacy;
      if (settled === entry.tools && (entry.legacy ?? false) === legacy) return entry;
      return { ...entry, tools: settled, legacy };
    });
    const fresh = store.get(name)?.tools.filter(({ state }) => state === "new") ?? [];
    if (fresh.length > 0) {
      const names = fresh.map((pin) => toPlainLine(pin.name, 60)).slice(0, 5);
      warnOnce(
        `it has new tools (${names.join(", ")}). To accept them, run: haft mcp accept ${name}`,
      );
    }
    return new Map(tools.map((tool) => [tool.name, tool]));
  };

  const relist = createRelist(async () => {
    const current = live;
    if (current === undefined) return;
    try {
      current.listed = await take(current.connection);
      options.onToolsChanged();
    } catch (error) {
      warnOnce(`listing its tools again failed: ${toErrorMessage(error)}`);
    }
  });

  // The next call connects again, after a pause.
  const drop = (lost: Live, why: string): void => {
    if (live !== lost) return;
    live = undefined;
    backOff.failed(why);
    void lost.connection.close().catch(() => {});
  };

  const open = async (): Promise<Live> => {
    const entry = store.get(name);
    if (entry === undefined) {
      throw new ToolError("unavailable", `The MCP server ${name} was removed.`);
    }
    const connection = await options.connect(entry, {
      signal: closing.signal,
      onToolsChanged: relist,
      onElicit: elicit,
      onNote: warnOnce,
      onIsolation: (found, warning) => {
        isolation = found;
        if (warning !== undefined) warnOnce(warning);
      },
    });
    try {
      const opened: Live = { connection, listed: await take(connection) };
      void connection.ended.then((why) => drop(opened, why));
      return opened;
    } catch (error) {
      await connection.close().catch(() => {});
      throw error;
    }
  };

  const connect = (): Promise<Live> => {
    if (live !== undefined) return Promise.resolve(live);
    connecting ??= open()
      .then(
        (opened) => {
          live = opened;
          return opened;
        },
        (error: unknown) => {
          const failure = toUnavailable(error, name);
          backOff.failed(failure.message);
          throw failure;
        },
      )
      .finally(() => {
        connecting = undefined;
      });
    return connecting;
  };

  const refuseIfPausing = (): void => {
    const pause = live === undefined && connecting === undefined ? backOff.pause() : undefined;
    if (pause === undefined) return;
    const seconds = Math.ceil(pause.left / 1000);
    throw new ToolError(
      "unavailable",
      `The MCP server ${name} failed recently. The next attempt is possible in ${seconds} s. Last failure: ${toPlainText(pause.why, 2_500)}`,
    );
  };

  return {
    get isolation() {
      return isolation;
    },
    call: async (pin, args, runtime) => {
      if (closing.signal.aborted) throw new ToolError("unavailable", "The session has ended.");
      refuseIfUnfit(pin, store.get(name));
      refuseIfPausing();
      const current = await untilAborted(runtime, connect());
      refuseIfUnfit(pin, store.get(name));
      const listed = current.listed.get(pin.name);
      if (listed === undefined) throw refusal(pin, name, "no longer exists on the server");
      running.add(runtime);
      try {
        const { tracing } = options;
        const call = { server: name, listed, prepared: pin, args, tracing };
        const data = await callTool(call, current.connection, runtime);
        backOff.succeeded();
        return data;
      } catch (error) {
        if (ToolError.isInstance(error) && error.code === "unavailable")
          drop(current, error.message);
        throw error;
      } finally {
        running.delete(runtime);
      }
    },
    isGone: (pin) => live !== undefined && !live.listed.has(pin.name),
    close: async () => {
      closing.abort(new ToolError("unavailable", "The session has ended."));
      const current = live ?? (await connecting?.catch(() => undefined));
      live = undefined;
      await current?.connection.close().catch(() => {});
    },
  };
}

// One at a time and with a pause, because a server may report a change at every listing.
function createRelist(run: () => Promise<void>): () => void {
  let isBusy = false;
  let isWanted = false;
  const start = (): void => {
    isBusy = true;
    isWanted = false;
    void run().finally(() => {
      setTimeout(() => {
        isBusy = false;
        if (isWanted) start();
      }, relistPause).unref();
    });
  };
  return () => {
    isWanted = true;
    if (!isBusy) start();
  };
}

const relistPause = 1_000;
const pulseMs = 5_000;

function refuseIfUnfit(pin: PinnedTool, entry: McpServerEntry | undefined): void {
  if (entry === undefined) throw new ToolError("unavailable", "The MCP server was removed.");
  const now = entry.tools.find(({ name }) => name === pin.name);
  if (now === undefined) throw refusal(pin, entry.name, "no longer exists on the server");
  if (now.state === "changed") {
    const remedy = `To review and accept the change, run: haft mcp accept ${entry.name}`;
    throw refusal(pin, entry.name, `has changed since it was accepted. ${remedy}`);
  }
  if (now.hash !== pin.hash) {
    throw refusal(pin, entry.name, "was accepted again meanwhile. Restart the session to use it");
  }
  if (pin.fault !== undefined) throw refusal(pin, entry.name, `can't be used: ${pin.fault}`);
}

function refusal(pin: PinnedTool, server: string, why: string): ToolError {
  const tool = toPlainLine(pin.name, 100);
  return new ToolError("unavailable", `The tool ${tool} of the MCP server ${server} ${why}.`);
}

function toUnavailable(error: unknown, name: string): ToolError {
  if (ToolError.isInstance(error)) return error;
  const why = toPlainText(toErrorMessage(error), 1_000);
  return new ToolError("unavailable", `The MCP server ${name} is not available: ${why}.`);
}
