import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import { sourceCommand } from "../../../../../test/programs/source-command.ts";
import { type ModelScript, startModelServer } from "../../test-support/model-server/index.ts";
import { makeDirectory } from "./drive.ts";

/** A message between client and agent. */
export interface WireMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>> & {
    readonly update?: SessionUpdate;
  };
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** How a run of acpx went. */
export interface AcpxRun {
  readonly code: number | null;
  /** All that went over the wire, both ways, if it was asked for. */
  readonly messages: readonly WireMessage[];
  readonly updates: readonly SessionUpdate[];
  readonly stdout: string;
  readonly stderr: string;
}

/** A workspace in which acpx drives the agent. */
export interface AcpxFixture {
  readonly workspace: string;
  /** How many requests the model got. */
  readonly requestCount: () => number;
  /** Runs it to its end; the signal interrupts it, as Ctrl-C does. */
  run(args: readonly string[], interrupt?: Promise<unknown>): Promise<AcpxRun>;
}

const program = await sourceCommand(new URL("./agent.ts", import.meta.url));
const acpx = fileURLToPath(import.meta.resolve("acpx"));

/** Has the real headless client drive our agent, on a scripted model, with a home of its own. */
export async function openAcpx(
  script: ModelScript,
  delegate: "all" | "none" = "all",
): Promise<AcpxFixture> {
  const [workspace, home, state] = [makeDirectory(), makeDirectory(), makeDirectory()];
  const model = await startModelServer(script);
  onTestFinished(() => model.close());
  const url = model.baseUrl("openai-compatible");
  const agent = [...program, state, url, delegate];
  return {
    workspace,
    requestCount: () => model.requestCount,
    run: async (args, interrupt) => {
      const all = [acpx, "--agent", agent.map(quote).join(" "), "--cwd", workspace, ...args];
      const child = spawn(process.execPath, all, {
        cwd: workspace,
        env: { PATH: process.env.PATH, HOME: home, NO_COLOR: "1" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      void interrupt?.then(() => child.kill("SIGINT"));
      let stdout = "";
      let stderr = "";
      child.stdout.setEncoding("utf8").on("data", (text) => {
        stdout += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text) => {
        stderr += text;
      });
      const [code] = (await once(child, "close")) as [number | null];
      const messages = stdout
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as WireMessage);
      const updates = messages.flatMap(({ params }) => params?.update ?? []);
      return { code, messages, updates, stdout, stderr };
    },
  };
}

function quote(word: string): string {
  return `'${word}'`;
}
