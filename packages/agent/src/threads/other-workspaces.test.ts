import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { JsonValue, ToolResult } from "@haft/contract";
import {
  type AskRequest,
  createRegistry,
  createSession,
  type Host,
  headlessHost,
  parseRule,
  type SessionOptions,
} from "@haft/core";
import { formatRule } from "@haft/core/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { createThreadTools } from "./create-thread-tools.ts";
import { openThreads } from "./open-threads.ts";
import { came, user } from "./test-support/open-test-threads.ts";

const secret = "the launch code is 0451";

/** Two workspaces on one machine, with a thread in the second. */
async function openTwo() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-workspaces-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const state = join(base, "state");
  for (const name of ["here", "far", "here/inner"]) mkdirSync(join(base, name));
  const threads = await openThreads(join(base, "threads.db"));
  onTestFinished(() => threads.close());
  const registry = createRegistry(createThreadTools(async () => threads));
  const open = (name: string, options: Partial<SessionOptions> = {}) => {
    const computer = createDiskComputer({ workspace: join(base, name), stateDirectory: state });
    return createSession({ registry, computer, host: headlessHost, ...options });
  };
  const say = (name: string, session: string): string => {
    const storage = createDiskComputer({
      workspace: join(base, name),
      stateDirectory: state,
    }).openSession(session);
    const workspace = realpathSync(join(base, name));
    const thread = threads.open({ id: storage.id, name: session, workspace });
    thread.append(user("What does codes.txt say?"));
    thread.append(came("1", secret));
    thread.close();
    return storage.id;
  };
  return { base, open, say };
}

function asking(answer: "once" | "session" | "reject"): Host & { asked: AskRequest[] } {
  const asked: AskRequest[] = [];
  return {
    ...headlessHost,
    headless: false,
    asked,
    ask: async (request) => {
      asked.push(request);
      return { answer };
    },
  };
}

const codeOf = (result: ToolResult): unknown => result.metadata.error_code;
const read = (thread: string) => ({ name: "read_thread", arguments: { thread } });
const everywhere = {
  name: "find_thread",
  arguments: { query: "codes", all_workspaces: true },
};

describe("threads of another workspace", () => {
  it("are shown only after approval", async () => {
    const { open, say } = await openTwo();
    const id = say("far", "talk");
    const session = open("here");
    for (const call of [
      read(id),
      read(`${id} `),
      everywhere,
      { ...everywhere, arguments: { ...everywhere.arguments, all_workspaces: "true" } },
    ]) {
      const result = await session.call({ ...call, arguments: call.arguments as JsonValue });
      expect(codeOf(result)).toBe("headless");
      expect(JSON.stringify(result)).not.toMatch(/0451|codes\.txt/u);
    }
    const own = await session.call({ name: "find_thread", arguments: { query: "codes" } });
    expect(own).toMatchObject({ data: { threads: [] } });
  });

  it("are refused in the same words whether they exist or not", async () => {
    const { open, say } = await openTwo();
    const id = say("far", "talk");
    const session = open("here");
    const tell = async (thread: string): Promise<string> => {
      const { metadata, ...result } = await session.call(read(thread));
      return JSON.stringify(result).replaceAll(thread.replace(/\/.*/u, ""), "WORKSPACE");
    };
    const existing = await tell(id);
    expect(existing).toContain("no rule allows read_thread workspace:WORKSPACE");
    expect(await tell(id.replace("/talk", "/never"))).toBe(existing);
    expect(await tell("nowhere-00000000/talk")).toBe(existing);
  });

  it("are asked about by the name of the workspace, and always is for that one alone", async () => {
    const { open, say } = await openTwo();
    const [far, inner] = [say("far", "talk"), say("here/inner", "talk")];
    const host = asking("session");
    const session = open("here", { host });
    expect(JSON.stringify(await session.call(read(far)))).toContain("0451");
    expect(host.asked).toHaveLength(1);
    const [request] = host.asked;
    expect(request?.reason).toMatch(/read_thread workspace:far-[0-9a-f]{8}$/u);
    expect(request?.rules.map(formatRule)).toEqual([
      `read_thread workspace:${far.replace("/talk", "")} allow`,
    ]);
    await session.call(read(far));
    expect(host.asked).toHaveLength(1);
    // A workspace inside another is one of its own, in both directions.
    await session.call(read(inner));
    await session.call(everywhere);
    expect(host.asked).toHaveLength(3);
  });

  it("are not shown after a no", async () => {
    const { open, say } = await openTwo();
    const session = open("here", { host: asking("reject") });
    const result = await session.call(read(say("far", "talk")));
    expect(codeOf(result)).toBe("rejected-by-user");
    expect(JSON.stringify(result)).not.toContain("0451");
  });

  it("are opened by a rule, which a subagent can't bring along", async () => {
    const { open, say } = await openTwo();
    const id = say("far", "talk");
    const rules = ["read_thread workspace:* allow", "find_thread * allow"].map(parseRule);
    const allowed = open("here", { rules });
    expect(JSON.stringify(await allowed.call(read(id)))).toContain("0451");
    expect(JSON.stringify(await allowed.call(everywhere))).toContain(id);
    const parent = open("here");
    await parent.call(read("talk"));
    const child = open("here", { name: "child", rules, parent: parent.bounds });
    expect(codeOf(await child.call(read(id)))).toBe("headless");
    expect(codeOf(await child.call(everywhere))).toBe("headless");
  });
});

describe("threads of this workspace", () => {
  it("are known by the real path, whatever link leads there", async () => {
    const { base, open, say } = await openTwo();
    symlinkSync(join(base, "far"), join(base, "link"));
    const id = say("link", "talk");
    for (const name of ["far", "link"]) {
      const session = open(name);
      for (const thread of [id, "talk"]) {
        expect(JSON.stringify(await session.call(read(thread)))).toContain("0451");
      }
    }
  });

  it("belong to another one once it was moved", async () => {
    const { base, open, say } = await openTwo();
    const id = say("far", "talk");
    renameSync(join(base, "far"), join(base, "moved"));
    const session = open("moved");
    expect(codeOf(await session.call(read(id)))).toBe("headless");
    expect(codeOf(await session.call(read("talk")))).toBe("not-found");
  });
});
