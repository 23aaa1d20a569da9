import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRunning } from "./support/is-running.ts";
import { call, calls, say } from "./support/model-server.ts";
import { endOf, eventsOf, openPlace, readEvents } from "./support/open-place.ts";
import { manifest, reviewer, script } from "./support/subagent-script.ts";

const files = { "a.txt": "one\n", ".haft/agents/reviewer.md": reviewer };
const review = { subagent_type: "reviewer", prompt: "Review a.txt." };

describe("a subagent", () => {
  const bash = call("bash", { command: "touch made.txt" });
  const write = call("write", { path: "made.txt", content: "x" });

  it("may do no more than its parent", async () => {
    const { agent, model, workspace } = await openPlace(
      script({
        "You do one piece": [bash, say("I could not.")],
        "": [call("task", { subagent_type: "general", prompt: "Touch it." }), say("So be it.")],
      }),
    );
    const { code, events } = await agent(["--yes", "--rule", "bash * deny", "touch it"]);
    expect(code).toBe(0);
    const inside = eventsOf(events, "subagent").map(({ event }) => event);
    expect(eventsOf(inside, "tool-result")).toMatchObject([
      { result: { type: "error", metadata: { error_code: "denied" } } },
    ]);
    expect(model.requests[2]?.lastText).toContain("den");
    expect(existsSync(join(workspace, "made.txt"))).toBe(false);
  });

  it("of a planner can't write either", async () => {
    const { agent, workspace } = await openPlace(
      script({
        "You do one piece": [calls([...(bash.calls ?? []), ...(write.calls ?? [])]), say("No.")],
        "": [call("task", { subagent_type: "general", prompt: "Write it." }), say("So be it.")],
      }),
    );
    const { code, events } = await agent(["--yes", "--plan", "write it"]);
    expect(code).toBe(0);
    const inside = eventsOf(events, "subagent").map(({ event }) => event);
    const codes = eventsOf(inside, "tool-result").map(({ result }) => result.metadata.error_code);
    expect(codes).toEqual(["out-of-scope", "out-of-scope"]);
    expect(existsSync(join(workspace, "made.txt"))).toBe(false);
  });

  it("has those tools of a toolbox that are meant for it", async () => {
    const { agent, model, base } = await openPlace(
      script({
        "You review": [say("Seen.")],
        "": [call("task", review), say("Done.")],
      }),
      {
        ...files,
        ".haft/agents/reviewer.md": `${reviewer.replace("tools:", "toolbox: true\ntools:")}`,
      },
    );
    for (const [name, type] of [
      ["lint", "reviewer"],
      ["ship", "shipper"],
    ] as const) {
      const described = { name, description: `Can ${name}.`, subagentTypes: [type] };
      const lines = [
        "#!/bin/sh",
        `[ "$TOOLBOX_ACTION" = describe ] && echo '${JSON.stringify(described)}'`,
      ];
      mkdirSync(join(base, "toolbox"), { recursive: true });
      writeFileSync(join(base, "toolbox", name), `${lines.join("\n")}\n`, { mode: 0o755 });
    }
    const environment = { HAFT_TOOLBOX: join(base, "toolbox") };
    expect((await agent(["--sandbox", "off", "review"], { environment })).code).toBe(0);
    const child = model.requests.find(({ system }) => system.includes("You review"));
    expect(child?.toolNames).toContain("tb__lint");
    expect(child?.toolNames).not.toContain("tb__ship");
  });

  it("uses up what its parent may use", async () => {
    const { agent, model } = await openPlace(({ system, messages }, index) => {
      const usage = { input: 1000, output: 10 };
      if (system.includes("You do one piece")) {
        return { ...call("read", { path: "a.txt", limit: index + 1 }), usage };
      }
      if (messages.length > 1) return say("(not asked)");
      const task = { subagent_type: "general", prompt: "Read on and on." };
      return {
        usage,
        ...calls([
          ["task", task],
          ["task", task],
        ]),
      };
    }, files);
    const { code, events } = await agent(["--max-tokens", "10000", "read"]);
    expect(code).toBe(3);
    expect(endOf(events)).toMatchObject({ reason: "max-tokens", steps: 1 });
    // Ten of about a thousand each, and what was under way then.
    expect(model.requestCount).toBeLessThan(13);
  });

  it("whose model has no price is not begun where costs are limited", async () => {
    const { agent, home, model } = await openPlace(
      [call("task", { subagent_type: "another", prompt: "Go." }), say("Then not.")],
      {
        ".haft/agents/another.md": manifest("You are another.", {
          description: "Another.",
          model: "openai-compatible/another-model",
        }),
      },
    );
    const prices = { "openai-compatible/scripted": { input: 1, output: 5 } };
    mkdirSync(join(home, ".config/haft"), { recursive: true });
    writeFileSync(join(home, ".config/haft/settings.json"), JSON.stringify({ prices }));
    const { code, events } = await agent(["--max-cost", "1", "go"]);
    expect(code).toBe(0);
    expect(eventsOf(events, "tool-result")).toMatchObject([
      { result: { type: "error", metadata: { error_code: "unavailable" } } },
    ]);
    expect(model.requests[1]?.lastText).toContain(
      "The price of openai-compatible/another-model is unknown",
    );
    expect(endOf(events).usage.cost).toBeGreaterThan(0);
  });

  it("that spawns itself is stopped", async () => {
    const { agent, model } = await openPlace(
      ({ messages, system }) => {
        const last = messages.at(-1);
        if (last?.role === "tool") return say(`Came back: ${last.text.slice(-300)}`);
        const again = call("task", { subagent_type: "mirror", prompt: "Again." });
        return system.includes("You mirror") || messages.length === 1 ? again : say("Done.");
      },
      { ".haft/agents/mirror.md": manifest("You mirror.", { description: "Mirrors." }) },
    );
    const { code, events } = await agent(["mirror"]);
    expect(code).toBe(0);
    // The parent and five below it, each asked twice.
    expect(model.requestCount).toBe(12);
    expect(endOf(events).text).toContain("5 deep");
  });

  it("is stopped with its parent, and what it runs too", async () => {
    const seconds = `3000.${process.pid}1`;
    const { startAgent, agent, model } = await openPlace(
      script({
        "You do one piece": [call("bash", { command: `sleep ${seconds}` })],
        "": [
          calls([
            ["task", { subagent_type: "general", prompt: "Sleep." }],
            ["task", { subagent_type: "general", prompt: "Sleep too.", background: true }],
          ]),
          say("Back."),
        ],
      }),
    );
    const run = startAgent(["--yes", "--session", "s", "sleep"]);
    await expect.poll(() => isRunning(seconds)).toBe(true);
    run.child.kill("SIGINT");
    const { code, stdout } = await run.ended;
    expect(code).toBe(130);
    expect(isRunning(seconds)).toBe(false);
    expect(endOf(readEvents(stdout))).toMatchObject({ reason: "aborted" });
    const asked = model.requestCount;
    expect((await agent(["--session", "s", "and?"])).code).toBe(0);
    expect(model.requestCount).toBe(asked + 1);
    expect(model.requests.at(-1)?.messages.at(-1)?.text).toContain("and?");
  });

  it("shows what it does or does not, as its manifest says", async () => {
    const { agent, haft } = await openPlace(
      script({
        "You keep": [call("read", { path: "a.txt" }), say("The steps are hidden.")],
        "You review": [say("The steps are visible.")],
        "": [
          calls([
            ["task", { subagent_type: "secret", prompt: "Go." }],
            ["task", review],
          ]),
          say("Both are done."),
        ],
      }),
      {
        ...files,
        ".haft/agents/secret.md": manifest("You keep it to yourself.", {
          description: "Keeps it.",
          inspectable: "false",
        }),
      },
    );
    const { code, events } = await agent(["--session", "s", "go"]);
    expect(code).toBe(0);
    const shown = new Set(eventsOf(events, "subagent").map(({ agent: name }) => name));
    expect([...shown]).toEqual(["reviewer"]);
    const [opaque, open] = ["secret", "reviewer"].map(
      (name) =>
        eventsOf(events, "tool-result").find(({ result }) =>
          JSON.stringify(result).includes(`"agent":"${name}"`),
        )?.result,
    );
    expect(JSON.stringify(opaque)).toContain("The steps are hidden.");
    expect(JSON.stringify(opaque)).not.toContain('"thread"');
    expect(JSON.stringify(open)).toContain('"thread"');
    const { stdout } = await haft(["sessions", "list", "--children"]);
    expect(stdout).toContain("s.reviewer-");
    expect(stdout).not.toContain("s.secret-");
  });
});
