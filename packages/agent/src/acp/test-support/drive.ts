import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ClientApp,
  type ClientCapabilities,
  type ClientContext,
  client,
  methods,
  type NewSessionRequest,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptRequest,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import { type ModelScript, startModelServer } from "../../test-support/model-server/index.ts";
import type { AcpBackend } from "../acp-backend.ts";
import { type AcpServing, serveAcp } from "../serve-acp.ts";
import { createDiskBackend, type DiskBackendOptions } from "./disk-backend.ts";

/** What a test drives an agent with. */
export interface DriveOptions extends Partial<Omit<DiskBackendOptions, "modelUrl">> {
  readonly script?: ModelScript;
  readonly backend?: AcpBackend;
  readonly capabilities?: ClientCapabilities;
  readonly delegate?: AcpServing["delegate"];
  /** Returns the id of the option to choose. Default: the first option. */
  decide?(request: RequestPermissionRequest): string | RequestPermissionResponse;
  /** Adds what else the client can do. */
  equip?(app: ClientApp): unknown;
}

/** A client in this process that drives a served agent. */
export interface Driven {
  readonly agent: ClientContext;
  readonly workspace: string;
  readonly state: string;
  readonly updates: SessionUpdate[];
  readonly asked: RequestPermissionRequest[];
  readonly warnings: string[];
  /** The requests that the model got. */
  readonly requests: readonly unknown[];
  newSession(): Promise<string>;
  prompt(sessionId: string, text: string): Promise<string>;
  /** Lets go of the connection; resolves when the agent has closed everything. */
  leave(): Promise<void>;
}

/** A new directory, gone with the test. */
export function makeDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-acp-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Serves an agent in this process and connects the SDK's own client with it. */
export async function drive(options: DriveOptions = {}): Promise<Driven> {
  const workspace = makeDirectory();
  const state = options.state ?? makeDirectory();
  const model = await startModelServer(options.script ?? []);
  onTestFinished(() => model.close());
  const modelUrl = model.baseUrl("openai-compatible");
  const backend = options.backend ?? (await createDiskBackend({ ...options, state, modelUrl }));
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const warnings: string[] = [];
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const toClient = new TransformStream<Uint8Array, Uint8Array>();
  const served = serveAcp(
    backend,
    { input: toAgent.readable, output: toClient.writable },
    {
      version: "1.2.3",
      delegate: options.delegate,
      warn: (message) => warnings.push(message),
    },
  );
  const app = client({ name: "test" })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params);
      const chosen = options.decide?.(params) ?? params.options[0]?.optionId ?? "";
      if (typeof chosen !== "string") return chosen;
      return { outcome: { outcome: "selected", optionId: chosen } };
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
    });
  options.equip?.(app);
  const connection = app.connect(ndJsonStream(toAgent.writable, toClient.readable));
  const leave = async (): Promise<void> => {
    connection.close();
    await toAgent.writable.close().catch(() => {});
    await served;
  };
  onTestFinished(leave);
  const { agent } = connection;
  await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: options.capabilities ?? {},
  });
  return {
    agent,
    workspace,
    state,
    updates,
    asked,
    warnings,
    requests: model.requests,
    newSession: async () => {
      const request: NewSessionRequest = { cwd: workspace, mcpServers: [] };
      return (await agent.request(methods.agent.session.new, request)).sessionId;
    },
    prompt: async (sessionId, text) => {
      const request: PromptRequest = { sessionId, prompt: [{ type: "text", text }] };
      return (await agent.request(methods.agent.session.prompt, request)).stopReason;
    },
    leave,
  };
}

/** The updates of one kind. */
export function updatesOf<Kind extends SessionUpdate["sessionUpdate"]>(
  updates: readonly SessionUpdate[],
  kind: Kind,
): Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
  return updates.filter(
    (update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> =>
      update.sessionUpdate === kind,
  );
}
