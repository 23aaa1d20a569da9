import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, calls, say } from "./support/model-server.ts";
import { endOf, eventsOf, openPlace } from "./support/open-place.ts";

describe("haft agent --plan", () => {
  it("shows the model nothing that changes anything, and makes no such call", async () => {
    const { agent, model, workspace } = await openPlace([
      calls([
        ["write", { path: "a.txt", content: "a" }],
        ["bash", { command: "touch a.txt" }],
      ]),
      say("The plan."),
    ]);
    const { code, events } = await agent(["--plan", "--yes", "plan it"]);
    expect(code).toBe(0);
    const shown = model.requests[0]?.toolNames ?? [];
    expect(shown).toEqual(expect.arrayContaining(["read", "grep", "glob", "plan_exit", "task"]));
    for (const name of ["write", "edit", "multi_edit", "apply_patch", "bash", "delete_file"]) {
      expect(shown).not.toContain(name);
    }
    expect(eventsOf(events, "tool-result").map(({ result }) => result.type)).toEqual([
      "error",
      "error",
    ]);
    expect(existsSync(join(workspace, "a.txt"))).toBe(false);
    expect(eventsOf(events, "turn-start")).toMatchObject([{ agent: "plan" }]);
  });

  it("does not ask for approval of the plan without a terminal", async () => {
    const { agent, model } = await openPlace([
      call("plan_exit", { plan: "1. Do it." }),
      say("Then the plan it is."),
    ]);
    const { code, events } = await agent(["--plan", "--headless", "plan it"]);
    expect(code).toBe(0);
    expect(eventsOf(events, "tool-result")).toMatchObject([{ result: { type: "error" } }]);
    expect(model.requests[1]?.toolNames).not.toContain("write");
    expect(endOf(events)).toMatchObject({ reason: "end", text: "Then the plan it is." });
  });

  it("is left for building when the session continues without it", async () => {
    const { agent, model } = await openPlace([say("The plan."), say("Built.")]);
    await agent(["--plan", "--session", "s", "plan it"]);
    expect((await agent(["--session", "s", "build it"])).code).toBe(0);
    expect(model.requests[1]?.toolNames).toContain("write");
    expect(model.requests[1]?.toolNames).not.toContain("plan_exit");
    expect(model.requests[1]?.messages[1]?.text).toBe("The plan.");
  });
});
