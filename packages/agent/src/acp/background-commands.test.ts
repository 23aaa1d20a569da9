import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@haft/core";
import { describe, expect, it } from "vitest";
import { call, type ModelRequest, say } from "../test-support/model-server/index.ts";
import { drive } from "./test-support/drive.ts";

describe("serveAcp", () => {
  it("tells the model in the next turn that a command in the background has ended", async () => {
    const command = "until grep -q go signal; do sleep 0.02; done; touch new";
    const opened: Session[] = [];
    const { newSession, prompt, requests, workspace } = await drive({
      script: [
        call("bash", { command, timeout_ms: 50, on_timeout: "background" }),
        say("It is running."),
        say("I see."),
        say("Nothing new."),
      ],
      onOpen: (_, session) => opened.push(session),
    });
    const signal = join(workspace, "signal");
    writeFileSync(signal, "wait\n");
    const id = await newSession();
    expect(await prompt(id, "Go.")).toBe("end_turn");
    expect(JSON.stringify(requests[1])).toContain("continues in the background");
    writeFileSync(signal, "go\n");
    const list = () => opened[0]?.call({ name: "job_list" });
    await expect.poll(list).toMatchObject({ data: { jobs: [{ state: "ended", exit_code: 0 }] } });
    await prompt(id, "And?");
    await prompt(id, "And now?");
    const count = (request: unknown): number =>
      JSON.stringify((request as ModelRequest).body).split("has ended with exit code 0").length - 1;
    expect(requests.map(count)).toEqual([0, 0, 1, 1]);
  });
});
