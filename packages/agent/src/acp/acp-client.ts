import {
  type AgentContext,
  type ClientCapabilities,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type CreateTerminalRequest,
  methods,
  type ReadTextFileRequest,
  type RequestPermissionOutcome,
  type RequestPermissionRequest,
  type SessionUpdate,
  type TerminalHandle,
} from "@agentclientprotocol/sdk";

/** The client of one session, such as an editor. */
export interface AcpClient {
  readonly capabilities: ClientCapabilities;
  /** Sends an update of the session. Updates after the client has disconnected are lost. */
  update(update: SessionUpdate): void;
  requestPermission(
    request: Omit<RequestPermissionRequest, "sessionId">,
    signal: AbortSignal,
  ): Promise<RequestPermissionOutcome>;
  elicit(form: ElicitationForm, signal: AbortSignal): Promise<CreateElicitationResponse>;
  readTextFile(path: string): Promise<string>;
  writeTextFile(path: string, content: string): Promise<void>;
  createTerminal(terminal: Omit<CreateTerminalRequest, "sessionId">): Promise<TerminalHandle>;
}

/** A form that a client shows to the user. */
export type ElicitationForm = Pick<
  Extract<CreateElicitationRequest, { mode: "form" }>,
  "message"
> & {
  readonly toolCallId: string;
  readonly requestedSchema: Extract<
    CreateElicitationRequest,
    { requestedSchema: unknown }
  >["requestedSchema"];
};

/** A client whose session ID is set once the session is open. */
export interface BindableClient extends AcpClient {
  bind(sessionId: string): void;
}

// If an editor does not send a text in this time, it is read from disk.
const patienceMs = 10_000;

/** Creates the client of one session from a connection. */
export function createAcpClient(
  context: AgentContext,
  capabilities: ClientCapabilities,
): BindableClient {
  let bound: string | undefined;
  const sessionId = (): string => {
    if (bound === undefined) throw new Error("The client has no session yet.");
    return bound;
  };
  return {
    capabilities,
    bind: (id) => {
      bound = id;
    },
    update: (update) => {
      // It fails only after the client has disconnected.
      context
        .notify(methods.client.session.update, { sessionId: sessionId(), update })
        .catch(() => {});
    },
    requestPermission: async (request, signal) => {
      const { outcome } = await context.request(
        methods.client.session.requestPermission,
        { ...request, sessionId: sessionId() },
        { cancellationSignal: signal, stopWaitingOnCancel: true },
      );
      return outcome;
    },
    elicit: (form, signal) =>
      context.request(
        methods.client.elicitation.create,
        { ...form, mode: "form", sessionId: sessionId() },
        { cancellationSignal: signal, stopWaitingOnCancel: true },
      ),
    readTextFile: async (path) => {
      const request: ReadTextFileRequest = { sessionId: sessionId(), path };
      const { content } = await context.request(methods.client.fs.readTextFile, request, {
        cancellationSignal: AbortSignal.timeout(patienceMs),
        stopWaitingOnCancel: true,
      });
      return content;
    },
    writeTextFile: async (path, content) => {
      const request = { sessionId: sessionId(), path, content };
      await context.request(methods.client.fs.writeTextFile, request);
    },
    createTerminal: (terminal) => context.createTerminal({ ...terminal, sessionId: sessionId() }),
  };
}
