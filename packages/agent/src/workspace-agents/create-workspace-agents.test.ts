import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { createRegistry, createSession, headlessHost, type Session } from "@haft/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkspaceAgents } from "./create-workspace-agents.ts";
import type { OpenAgentSession, WorkspaceAgents } from "./workspace-agents.ts";

interface Opened {
  readonly agents: WorkspaceAgents;
  readonly session: Session;
  readonly state: string;
}

function open(environment: Readonly<Record<string, string>> = {}, hasAgent = false): Opened {
  const base = mkdtempSync(join(tmpdir(), "haft-services-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [workspace, state] = [join(base, "workspace"), join(base, "state")];
  for (const directory of [workspace, state]) mkdirSync(directory);
  const computer = createDiskComputer({ workspace, stateDirectory: state });
  const agents = createWorkspaceAgents({
    computer,
    stateDirectory: state,
    home: base,
    environment,
    hasAgent,
    warn: () => {},
  });
  const registry = createRegistry(agents.tools);
  const session = createSession({ registry, computer });
  const openSession: OpenAgentSession = (own) => createSession({ registry, computer, ...own });
  agents.adopt(session, { host: headlessHost, openSession });
  return { agents, session, state };
}

const idsOf = ({ agents }: Opened): string[] => agents.tools.map(({ id }) => id);

describe("createWorkspaceAgents", () => {
  it("offers agents by name only with a model, and plan_exit only to agents of Haft", () => {
    const everywhere = ["task", "task_output", "task_stop"];
    const named = ["finder", "oracle", "librarian", "kraken"];
    const others = ["skill", "find_thread", "read_thread", "lsp"];
    expect(idsOf(open())).toEqual([...everywhere, ...others]);
    expect(idsOf(open({ HAFT_MODEL: "openai/x" }))).toEqual([...everywhere, ...named, ...others]);
    expect(idsOf(open({}, true))).toEqual([...everywhere, ...named, ...others, "plan_exit"]);
  });

  it("reports that no model is chosen, and how to choose one", async () => {
    const { agents, session } = open();
    const args = { subagent_type: "finder", prompt: "Find it." };
    expect(await session.call({ name: "task", arguments: args })).toMatchObject({
      error_text: expect.stringMatching(/No model is chosen\. Set HAFT_MODEL/u),
      metadata: { error_code: "unavailable" },
    });
    await agents.close();
  });

  it("opens the model of an agent's class, else that of its caller (000:134-138)", async () => {
    const { agents, session, state } = open({ HAFT_MODEL: "anthropic/x" });
    const settings = join(dirname(state), ".config", "haft");
    mkdirSync(settings, { recursive: true });
    const modelClasses = { fast: "openai/y" };
    writeFileSync(join(settings, "settings.json"), JSON.stringify({ modelClasses }));
    const keyFor = async (name: string): Promise<string | undefined> => {
      const result = await session.call({ name, arguments: { task: "Find it." } });
      return result.type === "error" ? /\w+_API_KEY/u.exec(result.error_text)?.[0] : undefined;
    };
    expect(await keyFor("finder")).toBe("OPENAI_API_KEY");
    expect(await keyFor("oracle")).toBe("ANTHROPIC_API_KEY");
    await agents.close();
  });

  it("closes even if threads could not be opened", async () => {
    const { agents, session, state } = open();
    writeFileSync(
      join(state, "threads.db"),
      "no database at all, and long enough to tell so".repeat(9),
    );
    const result = await session.call({ name: "find_thread", arguments: { query: "x" } });
    expect(result).toMatchObject({
      type: "error",
      error_text: expect.stringContaining("threads.db"),
    });
    await expect(agents.close()).resolves.toBeUndefined();
  });
});
