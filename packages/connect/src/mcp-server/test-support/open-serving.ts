import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { createInboxHost, openSessionInbox, type SessionInbox } from "@haft/computer/internal";
import type { Tool } from "@haft/contract";
import {
  createRegistry,
  createSession,
  type Registry,
  type Session,
  type SessionOptions,
} from "@haft/core";
import { builtinTools } from "@haft/tools";
import { onTestFinished } from "vitest";
import { createMcpHost, type McpHostOptions } from "../host/mcp-host.ts";
import type { McpServing } from "../mcp-serving.ts";

/** A session on a directory of its own, to be served. */
export interface TestServing extends McpServing {
  readonly session: Session;
  readonly workspace: string;
  readonly registry: Registry;
  /** Where calls wait, with `waits`. */
  readonly inbox: SessionInbox;
  /** Opens another session on the same directory. */
  openSession(name: string): Session;
}

/** What is different from the built-in tools on an empty directory. */
export interface ServingOptions {
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly tools?: readonly Tool[];
  readonly host?: McpHostOptions;
  /** Whether calls that need approval wait in an inbox. */
  readonly waits?: boolean;
  readonly session?: Partial<SessionOptions>;
}

/** Opens a session on these files; both go when the test ends. */
export function openServing(options: ServingOptions = {}): TestServing {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "haft-mcp-server-")));
  const workspace = join(home, "workspace");
  mkdirSync(workspace);
  for (const [name, content] of Object.entries(options.files ?? {})) {
    const path = join(workspace, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const inbox = openSessionInbox(join(home, "state"));
  const waiting = createInboxHost({ inbox, workspace, asker: "a test", waitMs: 3_600_000 });
  const host = createMcpHost({ ...options.host, ...(options.waits && { inbox: waiting }) });
  const registry = createRegistry([...builtinTools, ...(options.tools ?? [])]);
  const computer = createDiskComputer({ workspace, stateDirectory: join(home, "state") });
  const sessions: Session[] = [];
  const openSession = (name: string): Session => {
    const opened = createSession({ registry, computer, host, name, ...options.session });
    sessions.push(opened);
    return opened;
  };
  const session = openSession("default");
  onTestFinished(async () => {
    await Promise.all(sessions.map((one) => one.close()));
    rmSync(home, { recursive: true, force: true });
  });
  return { session, host, version: "1.2.3", workspace, registry, inbox, openSession };
}
