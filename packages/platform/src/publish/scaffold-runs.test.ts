import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newId } from "../new-id.ts";
import { defaultSettings } from "../platform-settings.ts";
import { createRunner } from "../runner/create-runner.ts";
import {
  buildQuietly,
  closeBuilders,
  makeProject,
  openBuilder,
} from "./test-support/open-builder.ts";

afterAll(closeBuilders);

describe("what is built", () => {
  const builder = openBuilder();
  const directory = mkdtempSync(join(tmpdir(), "haft-runs-"));
  const runner = createRunner({
    settings: { ...defaultSettings.runner, blankWorkers: 0 },
    privateHosts: "never",
    directory,
  });
  afterAll(async () => {
    await runner.close(0);
    rmSync(directory, { recursive: true, force: true });
  });

  it.each(["node", "python"] as const)("runs: the scaffold in %s", async (runtime) => {
    const organization = "a".repeat(24);
    const built = await buildQuietly(builder, await makeProject(runtime), organization);
    const program = {
      ...{
        organization,
        toolId: newId(),
        name: "greeter",
        version: "1.0.0",
        runtime,
        digest: built.digest,
      },
      ...{ load: async () => built.artifact, allowedHosts: [], simulationHosts: [] },
      ...{ timeoutMs: 10_000, memoryMb: 128 },
    };
    const events: unknown[] = [];
    const result = await runner.run(program, {
      ...{ invocationId: newId(), mode: "conversation-simulation", conversation: { id: "x" } },
      ...{ input: { name: "Ada", times: 2 }, config: { GREETING: "Good day" } },
      ...{ userVariables: {}, sensitiveUserVariables: { nickname: "Countess" } },
      onStatus: (event) => void events.push(event),
    });
    expect(result).toMatchObject({
      succeeded: true,
      output: "Good day, Countess!\nGood day, Countess!\nGood to talk with you.\n(simulated)",
    });
    expect(events).toEqual(["Greeting Ada"]);
  });
});
