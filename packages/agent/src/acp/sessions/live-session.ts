import type {
  ContentBlock,
  SessionModeState,
  StopReason,
  ToolKind,
} from "@agentclientprotocol/sdk";
import type { ShownTool } from "@haft/core";
import type { TurnEnd } from "../../loop/agent-event.ts";
import type { AcpBackend, AcpSession } from "../acp-backend.ts";
import type { AcpClient, BindableClient } from "../acp-client.ts";
import { createAcpHost } from "../asking/acp-host.ts";
import type { DescribeAsked } from "../asking/ask-permission.ts";
import { createMessageQuestions, type MessageQuestions } from "../asking/message-questions.ts";
import { createCallTraces } from "../delegation/call-traces.ts";
import { type ClientPaths, createClientPaths } from "../delegation/client-paths.ts";
import { type DelegatedParts, delegateComputer } from "../delegation/delegate-computer.ts";
import { failedRequest, invalidParams, invalidRequest, toOpenError } from "../request-errors.ts";
import { toErrorLine } from "../to-error-line.ts";
import { describeAsked } from "../updates/asked-call.ts";
import type { LocationContext } from "../updates/call-locations.ts";
import { createTurnReporter, reportStop } from "../updates/turn-reporter.ts";
import { toPromptParts } from "./prompt-parts.ts";
import { replayHistory } from "./replay-history.ts";
import { readRewind, rewindCommand, rewindSession } from "./rewind-session.ts";
import { type SessionWish, toSessionOpen } from "./session-open.ts";

/** A session that a client uses. */
export interface LiveSession {
  readonly id: string;
  readonly modes: SessionModeState;
  /** Whether a prompt is being answered. */
  readonly isBusy: boolean;
  prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason>;
  /** Stops the running turn, if any. */
  cancel(): void;
  setMode(mode: string): void;
  /** Replays the history to the client. */
  replay(): void;
  /** Tells the client which commands a prompt can be. */
  announce(): void;
  /** Stops the turn and closes the session. */
  close(): Promise<void>;
}

/** What opening a session needs. */
export interface LiveSessionParts {
  readonly backend: AcpBackend;
  readonly client: BindableClient;
  readonly delegated: DelegatedParts;
}

/** Opens a session for a client. Throws errors of the protocol. */
export async function openLiveSession(
  wish: SessionWish,
  { backend, client, delegated }: LiveSessionParts,
): Promise<LiveSession> {
  const open = toSessionOpen(wish);
  const directories = [open.cwd, ...open.directories];
  const traces = createCallTraces();
  let paths: ClientPaths | undefined;
  let session: AcpSession | undefined;
  const place: LocationContext = { cwd: open.cwd, show: (path) => paths?.show(path) ?? path };
  const kindOf = createKinds(() => session?.agent.session.tools("all") ?? []);
  const messages = createMessageQuestions(client);
  const describe: DescribeAsked = (request) =>
    describeAsked(request, { place, kindOf, own: session?.id });
  const host = createAcpHost(client, describe, messages);
  try {
    session = await backend.open({
      ...open,
      host,
      delegate: (computer) => {
        paths = createClientPaths(directories, (path) => computer.identify(path));
        return delegateComputer(computer, { client, parts: delegated, paths, traces });
      },
    });
  } catch (error) {
    throw toOpenError(error, open.session);
  }
  client.bind(session.id);
  const { cwd } = open;
  return createLiveSession(session, { backend, client, messages, cwd, traces, place, kindOf });
}

interface LiveParts {
  readonly backend: AcpBackend;
  readonly client: AcpClient;
  readonly messages: MessageQuestions;
  readonly cwd: string;
  readonly traces: ReturnType<typeof createCallTraces>;
  readonly place: LocationContext;
  kindOf(name: string): ToolKind;
}

function createLiveSession(session: AcpSession, parts: LiveParts): LiveSession {
  const { backend, client, messages, cwd, traces, place, kindOf } = parts;
  const { id, agent } = session;
  const modes = backend.modes(cwd);
  let turn:
    | { readonly controller: AbortController; readonly done: Promise<StopReason> }
    | undefined;
  let isBusy = false;
  let closing: Promise<void> | undefined;
  let title = agent.thread.title;

  agent.onAgentChange(({ name }) => {
    if (closing !== undefined) return;
    client.update({ sessionUpdate: "current_mode_update", currentModeId: name });
  });

  const run = async (
    blocks: readonly ContentBlock[],
    controller: AbortController,
  ): Promise<StopReason> => {
    const words = readRewind(blocks);
    if (words !== undefined) return rewindSession(words, { session, client });
    const reporter = createTurnReporter({ client, traces, place });
    const { signal } = controller;
    const outcome = await agent
      .prompt(toPromptParts(blocks), { signal, onEvent: reporter.onEvent })
      .finally(() => reporter.end());
    if (agent.thread.title !== title) {
      title = agent.thread.title;
      client.update({ sessionUpdate: "session_info_update", title: title ?? null });
    }
    const { reason, error } = outcome;
    if (reason === "aborted" || signal.aborted) return "cancelled";
    if (reason === "error") throw failedRequest(error ?? "The request to the model failed.");
    if (reason !== "end" && error !== undefined) reportStop(client, error);
    return stopReasons[reason];
  };

  const start = (blocks: readonly ContentBlock[]): NonNullable<typeof turn> => {
    const controller = new AbortController();
    const done = run(blocks, controller).finally(() => {
      turn = undefined;
    });
    // It may fail while no prompt waits for it, such as after a cancellation.
    done.catch(() => {});
    turn = { controller, done };
    return turn;
  };

  return {
    id,
    get modes() {
      return {
        currentModeId: agent.manifest.name,
        availableModes: modes.map(({ id, name, description }) => ({ id, name, description })),
      };
    },
    get isBusy() {
      return isBusy;
    },
    prompt: async (blocks, signal) => {
      if (isBusy) {
        throw invalidRequest(`Session ${id} is busy. Wait until its turn ends, or cancel it.`);
      }
      const stop = (): void => turn?.controller.abort();
      signal.addEventListener("abort", stop, { once: true });
      isBusy = true;
      try {
        if (turn !== undefined && !messages.answer(toReply(blocks))) {
          // Its question was cancelled, so it is about to end.
          await turn.done.catch(() => {});
        }
        const { done } = turn ?? start(blocks);
        if (signal.aborted) stop();
        // For the client, the turn ends at a question that its next prompt answers.
        return await Promise.race([done, messages.untilAsked().then(() => "end_turn" as const)]);
      } finally {
        isBusy = false;
        signal.removeEventListener("abort", stop);
      }
    },
    cancel: () => turn?.controller.abort(),
    setMode: (mode) => {
      try {
        agent.become(mode);
      } catch (error) {
        const known = modes.map((one) => one.id).join(", ");
        const words = toErrorLine(error);
        throw invalidParams(words.includes(known) ? words : `${words} Modes: ${known}.`);
      }
    },
    replay: () => {
      for (const update of replayHistory(session.history(), { place, kindOf })) {
        client.update(update);
      }
    },
    announce: () => {
      if (closing !== undefined) return;
      client.update({
        sessionUpdate: "available_commands_update",
        availableCommands: [rewindCommand],
      });
    },
    close: () => {
      closing ??= (async () => {
        turn?.controller.abort();
        await turn?.done.catch(() => {});
        await session.close();
      })();
      return closing;
    },
  };
}

/** Returns the text of a prompt that answers a question. */
function toReply(blocks: readonly ContentBlock[]): string {
  return toPromptParts(blocks)
    .map((part) => (part.type === "text" ? part.text : "[file]"))
    .join("\n");
}

/** Converts the end of a turn to a stop reason. Errors are reported separately. */
const stopReasons: Readonly<Record<Exclude<TurnEnd, "error">, StopReason>> = {
  end: "end_turn",
  "max-steps": "max_turn_requests",
  // A loop counts as too many requests.
  loop: "max_turn_requests",
  "max-tokens": "max_tokens",
  "max-cost": "max_tokens",
  aborted: "cancelled",
};

/** Returns a function that looks up the kind of a tool by any of its names. Unknown names refresh the list of tools. */
function createKinds(list: () => readonly ShownTool[]): (name: string) => ToolKind {
  const kinds = new Map<string, ToolKind>();
  return (name) => {
    const known = kinds.get(name);
    if (known !== undefined) return known;
    for (const { name: shown, tool, kind } of list()) kinds.set(shown, kind).set(tool, kind);
    // A long history may repeat the names of tools that no longer exist.
    const found = kinds.get(name) ?? "other";
    kinds.set(name, found);
    return found;
  };
}
