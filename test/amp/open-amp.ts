import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDiskComputer, type SandboxMode } from "@haft/computer";
import {
  type AmpResult,
  amp,
  createRegistry,
  createScriptedHost,
  createSession,
  type Session,
  type ShownTool,
} from "@haft/core";
import { toAmpResult } from "@haft/core/internal";
import { builtinTools } from "@haft/tools";
import { onTestFinished } from "vitest";

/** A session that speaks Amp, in a workspace of its own. */
export interface OpenAmp {
  readonly root: string;
  readonly home: string;
  readonly session: Session;
  /** The names of the calls that somebody was asked about. */
  asked(): string[];
  /** Makes a call and gives the result in Amp's envelope. */
  call(name: string, args: Record<string, unknown>): Promise<AmpResult>;
  tool(name: string): ShownTool;
  put(path: string, content: string | Uint8Array): string;
}

/** How a session is opened. */
export interface AmpOptions {
  readonly sandbox?: SandboxMode;
}

/** Opens one; everything goes when the test ends. */
export function openAmp(
  answer: "once" | "reject" = "once",
  { sandbox = "auto" }: AmpOptions = {},
): OpenAmp {
  const base = mkdtempSync(join(tmpdir(), "haft-amp-"));
  const root = join(base, "workspace");
  const home = join(base, "home");
  for (const directory of [join(root, ".git"), home]) mkdirSync(directory, { recursive: true });
  const computer = createDiskComputer({
    workspace: root,
    stateDirectory: join(base, "state"),
    home,
    flush: false,
    sandbox,
  });
  const host = createScriptedHost({ ask: answer });
  const session = createSession({
    registry: createRegistry(builtinTools),
    computer,
    dialect: amp,
    host,
  });
  onTestFinished(async () => {
    await session.close();
    rmSync(base, { recursive: true, force: true });
  });
  return {
    root,
    home,
    session,
    asked: () => host.asked.map(({ name }) => name),
    call: async (name, args) => toAmpResult(await session.call({ name, arguments: args as never })),
    tool: (name) => {
      const found = session.tools().find((tool) => tool.name === name);
      if (found === undefined) throw new Error(`${name} is not shown.`);
      return found;
    },
    put: (path, content) => {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
  };
}

/** What a call that is done gave. */
export function resultOf<Result>(answer: AmpResult): Result {
  if (answer.status !== "done") throw new Error(answer.error.message);
  return answer.result as Result;
}
