import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { ToolError } from "@haft/contract";
import { createRegistry, createSession, defaultRules, type Rule, type Session } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { createAgent } from "../../loop/create-agent.ts";
import type { AgentManifest } from "../../manifests/agent-manifest.ts";
import { openModel } from "../../models/open-model-by-name.ts";
import { openThreads } from "../../threads/open-threads.ts";
import type { Thread } from "../../threads/thread.ts";
import type { StartedAgent } from "../../workspace-agents/workspace-agents.ts";
import type { AcpBackend, AcpOpen } from "../acp-backend.ts";

/** What a backend on real directories is made of. */
export interface DiskBackendOptions {
  /** Where sessions and threads are kept. */
  readonly state: string;
  /** Where the scripted model is, for `openai-compatible`. */
  readonly modelUrl: string;
  readonly rules?: readonly Rule[];
  /** Hears of what was asked for. */
  onOpen?(open: AcpOpen, session: Session): void;
}

const manifests: readonly AgentManifest[] = ["build", "plan"].map((name) => ({
  name,
  description: `The ${name} agent.`,
  mode: "primary",
  prompt: `You ${name}.`,
  isInspectable: true,
  isTool: false,
  origin: "shipped",
}));

/** The built-in tools on this machine, with a scripted model: what `haft acp` serves, but smaller. */
export async function createDiskBackend(options: DiskBackendOptions): Promise<AcpBackend> {
  const { state, modelUrl, rules = defaultRules } = options;
  const threads = await openThreads(join(state, "threads.db"));
  const model = await openModel("openai-compatible/scripted", {
    settings: {},
    environment: {},
    baseUrl: modelUrl,
  });
  let opened = 0;

  const start = (session: Session, thread: Thread): StartedAgent => {
    let manifest = manifests[0] as AgentManifest;
    const listeners: ((manifest: AgentManifest) => void)[] = [];
    const role = () => ({ name: manifest.name, model, instructions: manifest.prompt });
    return {
      ...createAgent({ session, thread, role, limits: { maxSteps: 10, retries: 0 } }),
      get manifest() {
        return manifest;
      },
      model: model.name,
      become: (name) => {
        const next = manifests.find((one) => one.name === name);
        if (next === undefined) throw new TypeError(`There is no agent ${name}.`);
        manifest = next;
        for (const listener of listeners) listener(next);
      },
      onAgentChange: (listener) => listeners.push(listener),
      close: async () => {
        await session.suspend();
        thread.close();
      },
    };
  };

  return {
    open: async (open) => {
      const known = open.session === undefined ? undefined : threads.find(open.session);
      if (open.session !== undefined && known === undefined) {
        throw new ToolError("not-found", `There is no session ${open.session}.`);
      }
      const workspace = [open.cwd, ...open.directories];
      const disk = createDiskComputer({ workspace, stateDirectory: state, flush: false });
      const computer = open.delegate(disk);
      const name = known?.name ?? `acp-${process.pid}-${Date.now()}-${++opened}`;
      const registry = createRegistry(builtinTools);
      const session = createSession({ registry, computer, host: open.host, name, rules });
      const thread = threads.open({ id: session.id, name, workspace: disk.roots[0] as string });
      const agent = start(session, thread);
      options.onOpen?.(open, session);
      return {
        id: session.id,
        agent,
        history: () => thread.entries(),
        calls: async () => (await disk.openSession(name).journal.calls?.()) ?? [],
        fork: (upTo) => {
          const { id } = disk.openSession(`${name}-rewound`);
          const facts = { id, name: `${name}-rewound`, workspace: disk.roots[0] as string };
          threads.fork(session.id, facts, upTo);
          return id;
        },
        close: () => agent.close(),
      };
    },
    list: (cwd) => threads.list(cwd === undefined ? {} : { workspace: cwd }),
    modes: () => manifests.map(({ name, description }) => ({ id: name, name, description })),
  };
}
