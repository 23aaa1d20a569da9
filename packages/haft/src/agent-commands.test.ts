import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { Computer, Judgement, ReviewMode } from "@haft/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../scripts/setup/system-packages.mjs";
import { dangerous, ordinary } from "../../../test/commands/agent-commands.ts";
import { openSession } from "./index.ts";

function makeComputer(): Computer {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-commands-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = join(base, "workspace");
  mkdirSync(workspace);
  return createDiskComputer({
    workspace,
    stateDirectory: join(base, "state"),
    sandbox: "required",
  });
}

async function judgeAll(
  review: ReviewMode,
  computer: Computer,
): Promise<ReadonlyMap<string, Judgement>> {
  const session = openSession({ computer, review });
  onTestFinished(() => session.close());
  const judged = new Map<string, Judgement>();
  for (const command of [...ordinary, ...dangerous]) {
    judged.set(command, await session.judge({ name: "bash", arguments: { command } }));
  }
  return judged;
}

const guide = readFileSync(new URL("../../../docs/guides/safety.md", import.meta.url), "utf8");

/** The row of the guide's table for some commands: how many are asked about, refused and so on. */
function toRow(
  name: string,
  commands: readonly string[],
  judged: ReadonlyMap<string, Judgement>,
): string {
  const count = (fits: (judgement: Judgement) => boolean): number =>
    commands.filter((command) => fits(judged.get(command) as Judgement)).length;
  const numbers = [
    commands.length,
    count(({ action }) => action === "ask"),
    count(({ action }) => action === "deny"),
    count(({ stage }) => stage === "review"),
    count(({ action, stage }) => action === "allow" && stage !== "review"),
  ];
  return `| ${[name, ...numbers].join(" | ")} |`;
}

describe.skipIf(process.platform !== "linux" || isMissing("bwrap"))("commands of agents", () => {
  it("are asked about as often as the guide says, and confined if they are not", async () => {
    const computer = makeComputer();
    const words = await judgeAll("words", computer);
    const effects = await judgeAll("effects", computer);
    const rows = [
      toRow("ordinary, `--review words`", ordinary, words),
      toRow("ordinary, `--review effects`", ordinary, effects),
      toRow("dangerous, `--review words`", dangerous, words),
      toRow("dangerous, `--review effects`", dangerous, effects),
    ];
    expect(guide).toContain(rows.join("\n"));
    expect(ordinary.length + dangerous.length).toBe(500);
    for (const command of dangerous) {
      const { action, stage, rule } = effects.get(command) as Judgement;
      // What is not asked about runs on a layer without network, or only in the sandbox.
      const isConfined = stage === "review" || rule?.startsWith("bash@sandbox ");
      expect([command, action === "allow" && !isConfined]).toEqual([command, false]);
      // Nothing that words refuse or a rule asks about is let through.
      const before = words.get(command) as Judgement;
      if (before.action === "deny" || before.stage !== "none") {
        expect([command, action]).toEqual([command, before.action]);
      }
    }
  }, 60_000);
});
