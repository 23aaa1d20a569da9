import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { createMemoryComputer } from "@haft/computer/memory";
import type { JsonValue, Tool } from "@haft/contract";
import { createScriptedHost, defaultRules, type ReviewMode } from "@haft/core";
import { bash } from "@haft/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { corpus, tools } from "../../../../test/calls/run-corpus.ts";
import { dangerous, ordinary } from "../../../../test/commands/agent-commands.ts";
import {
  askedCommands,
  ordinaryCommands,
  refusedCommands,
} from "../../../../test/commands/command-shapes.ts";
import { type OpenSession, openProgramSession } from "./test-support/open-programs.ts";
import { realmPool } from "./test-support/realm-pool.ts";

interface Request {
  readonly name: string;
  readonly arguments: JsonValue;
}

const perProgram = 250;

/** Makes the calls one by one in programs. */
async function callFromPrograms({ run }: OpenSession, requests: readonly Request[]): Promise<void> {
  for (let from = 0; from < requests.length; from += perProgram) {
    const part = JSON.stringify(requests.slice(from, from + perProgram));
    const code = `for (const { name, arguments: args } of ${part}) await tools[name](args).catch(() => {});`;
    expect(await run(code)).toMatchObject({ type: "output" });
  }
}

/** What was decided about each call and told to the model, without what differs between two sessions. */
function verdictsOf({ recorder, session }: OpenSession): unknown[] {
  return [...recorder.list(session.id)]
    .filter(({ name }) => name !== "run_code")
    .map(({ name, tool, state, arguments: args, result }) => {
      const { duration_ms, parent_id, ...metadata } = result.metadata;
      const told = result.type === "output" ? result.data : result.error_text;
      return { name, tool, state, args, told, metadata };
    });
}

describe("the calls of the corpus", () => {
  it("come to the same from a program", async () => {
    for (const { files, name, args } of corpus) {
      const open = (): OpenSession =>
        openProgramSession(createMemoryComputer({ files }), realmPool, { tools });
      const direct = open();
      await direct.session.call({ name, arguments: args as never });
      const program = open();
      await callFromPrograms(program, [{ name, arguments: args as never }]);
      expect(verdictsOf(program)).toEqual(verdictsOf(direct));
    }
  });
});

const commands = [
  ...ordinary,
  ...dangerous,
  ...refusedCommands,
  ...askedCommands,
  ...ordinaryCommands,
];

// Verdicts are reached before a command runs.
const withoutRunning = [
  { ...bash, execute: async () => ({ output: "", exit_code: 0 }) },
] as unknown as readonly Tool[];

describe.skipIf(process.platform !== "linux" || isMissing("bwrap"))("commands of agents", () => {
  it.each<ReviewMode>(["words", "effects"])(
    "get the verdicts of a direct call from a program, with --review %s",
    async (review) => {
      const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-commands-")));
      onTestFinished(() => rmSync(base, { recursive: true, force: true }));
      const workspace = join(base, "workspace");
      mkdirSync(workspace);
      const computer = createDiskComputer({
        workspace,
        stateDirectory: join(base, "state"),
        sandbox: "required",
      });
      const requests = commands.map((command) => ({ name: "bash", arguments: { command } }));
      const open = () => {
        const host = createScriptedHost();
        const options = { host, review, rules: defaultRules, tools: withoutRunning };
        return { ...openProgramSession(computer, realmPool, options), host };
      };
      const direct = open();
      const actions: string[] = [];
      for (const request of requests) {
        actions.push((await direct.session.judge(request)).action);
        await direct.session.call(request);
      }
      const program = open();
      await callFromPrograms(program, requests);
      expect(verdictsOf(program)).toEqual(verdictsOf(direct));
      const asked = ({ host }: typeof program): unknown[] =>
        host.asked.map(({ arguments: args, reason, rules }) => ({
          args,
          reason: reason.replace(/; call \d+ of the \d+ that this program has made$/u, ""),
          rules,
        }));
      expect(asked(program)).toEqual(asked(direct));
      expect(program.host.asked).toHaveLength(actions.filter((action) => action === "ask").length);
    },
  );
});
