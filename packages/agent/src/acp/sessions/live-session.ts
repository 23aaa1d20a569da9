import type {
  ContentBlock,
  SessionModeState,
  StopReason,
  ToolCallUpdate,
  ToolKind,
} from "@agentclientprotocol/sdk";
import type { AskRequest } from "@haft/core";
import type { AcpBackend, AcpSession } from "../acp-backend.ts";
import type { AcpClient, BindableClient } from "../acp-client.ts";
import { createAcpHost } from "../asking/acp-host.ts";
import { createCallTraces } from "../delegation/call-traces.ts";
import { type ClientPaths, createClientPaths } from "../delegation/client-paths.ts";
import { type DelegatedParts, delegateComputer } from "../delegation/delegate-computer.ts";
import { failedRequest, invalidParams, invalidRequest, toOpenError } from "../request-errors.ts";
import { toAskedDiffs } from "../updates/asked-call.ts";
import { type LocationPlace, toArgumentLocations } from "../updates/call-locations.ts";
import { toCallTitle } from "../updates/call-title.ts";
import { createTurnReporter, reportStop } from "../updates/turn-reporter.ts";
import { wordsOf } from "../words-of.ts";
import { createKinds } from "./kinds.ts";
import { toPromptParts } from "./prompt-parts.ts";
import { replayHistory } from "./replay-history.ts";
import { type SessionWish, toSessionOpen } from "./session-open.ts";
import { stopReasons } from "./stop-reason.ts";

/** A session that a client drives. */
export interface LiveSession {
  readonly id: string;
  readonly modes: SessionModeState;
  /** Whether a turn is under way. */
  readonly isBusy: boolean;
  prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason>;
  /** Stops the turn, if one is under way. */
  cancel(): void;
  setMode(mode: string): void;
  /** Shows what was said before. */
  replay(): void;
  /** Stops the turn and lets go of the session. */
  close(): Promise<void>;
}

/** What a session is opened with. */
export interface LiveSessionParts {
  readonly backend: AcpBackend;
  readonly client: BindableClient;
  readonly delegated: DelegatedParts;
}

/** Opens a session for a client. Throws what the client is to be told. */
export async function openLiveSession(
  wish: SessionWish,
  { backend, client, delegated }: LiveSessionParts,
): Promise<LiveSession> {
  const open = toSessionOpen(wish);
  const directories = [open.cwd, ...open.directories];
  const traces = createCallTraces();
  let paths: ClientPaths | undefined;
  let session: AcpSession | undefined;
  const place: LocationPlace = { cwd: open.cwd, show: (path) => paths?.show(path) ?? path };
  const kindOf = createKinds(() => session?.agent.session.tools("all") ?? []);
  const host = createAcpHost(client, (request) =>
    describeAsked(request, { place, kindOf, own: session?.id }),
  );
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
  return createLiveSession(session, { backend, client, cwd: open.cwd, traces, place, kindOf });
}

interface LiveParts {
  readonly backend: AcpBackend;
  readonly client: AcpClient;
  readonly cwd: string;
  readonly traces: ReturnType<typeof createCallTraces>;
  readonly place: LocationPlace;
  kindOf(name: string): ToolKind;
}

function createLiveSession(session: AcpSession, parts: LiveParts): LiveSession {
  const { backend, client, cwd, traces, place, kindOf } = parts;
  const { id, agent } = session;
  const modes = backend.modes(cwd);
  let turn: { readonly controller: AbortController; readonly done: Promise<unknown> } | undefined;
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
    if (reason === "error") throw failedRequest(error ?? "The model could not be asked.");
    if (reason !== "end" && error !== undefined) reportStop(client, error);
    return stopReasons[reason];
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
      return turn !== undefined;
    },
    prompt: async (blocks, signal) => {
      if (turn !== undefined) {
        throw invalidRequest(`Session ${id} is at work. Wait for its turn to end, or cancel it.`);
      }
      const controller = new AbortController();
      const stop = (): void => controller.abort();
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      const done = run(blocks, controller);
      turn = { controller, done };
      try {
        return await done;
      } finally {
        turn = undefined;
        signal.removeEventListener("abort", stop);
      }
    },
    cancel: () => turn?.controller.abort(),
    setMode: (mode) => {
      try {
        agent.become(mode);
      } catch (error) {
        const known = modes.map((one) => one.id).join(", ");
        const words = wordsOf(error);
        throw invalidParams(words.includes(known) ? words : `${words} The modes are: ${known}.`);
      }
    },
    replay: () => {
      for (const update of replayHistory(session.history(), { place, kindOf })) {
        client.update(update);
      }
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

interface AskedPlace {
  readonly place: LocationPlace;
  kindOf(name: string): ToolKind;
  /** The session's own id: other sessions' calls are its subagents'. */
  readonly own: string | undefined;
}

function describeAsked(request: AskRequest, { place, kindOf, own }: AskedPlace): ToolCallUpdate {
  const { session, callId, name, tool, arguments: given } = request;
  return {
    toolCallId: session === own ? callId : `${session}/${callId}`,
    title: toCallTitle({ name, arguments: given, cwd: place.cwd }),
    kind: kindOf(tool),
    locations: toArgumentLocations(given, place),
    content: toAskedDiffs(given, place),
    rawInput: given,
  };
}
