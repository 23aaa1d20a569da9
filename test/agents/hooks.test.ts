import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, say } from "./support/model-server.ts";
import { endOf, openPlace, type Place } from "./support/open-place.ts";
import { reviewer, script } from "./support/subagent-script.ts";

/** Writes a hook file and returns the options that use it, and what its hooks record. */
function useHooks({ base }: Place, hooks: Readonly<Record<string, string>>) {
  const file = join(base, "settings.json");
  const log = join(base, "inputs.jsonl");
  const groups = Object.entries(hooks).map(([event, after]) => {
    const command = `cat >> ${log}; echo >> ${log}; ${after || "true"}`;
    return [event, [{ hooks: [{ type: "command", command }] }]];
  });
  writeFileSync(file, JSON.stringify({ hooks: Object.fromEntries(groups) }));
  return {
    options: ["--hooks", file],
    inputs: (): Record<string, unknown>[] =>
      existsSync(log)
        ? readFileSync(log, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [],
  };
}

const print = (output: object): string => `echo '${JSON.stringify(output)}'`;
const files = { "a.txt": "one\n", ".haft/agents/reviewer.md": reviewer };

describe("hooks in haft agent", () => {
  it("give the model context, refuse calls with a reason, and make it go on", async () => {
    const answers = [
      call("read", { path: "a.txt" }),
      say("Done."),
      say("Now it is."),
      say("Never."),
    ];
    const place = await openPlace(answers, files);
    const { options, inputs } = useHooks(place, {
      SessionStart: "echo Use tabs.",
      UserPromptSubmit: print({ hookSpecificOutput: { additionalContext: "It is late." } }),
      PreToolUse: "echo Read nothing. >&2; exit 2",
      Stop: `tail -1 ${place.base}/inputs.jsonl | grep -q active.:true || ${print({ decision: "block", reason: "Run the tests." })}`,
      SessionEnd: "",
    });
    const { code, events } = await place.agent(["do it", ...options]);
    expect({ code, end: endOf(events) }).toMatchObject({
      code: 0,
      end: { reason: "end", text: "Now it is." },
    });
    const [first, second, third] = place.model.requests.map(({ body }) => JSON.stringify(body));
    expect(first).toMatch(
      /do it.*SessionStart hook: Use tabs\..*UserPromptSubmit hook: It is late\./u,
    );
    expect(second).toContain("refused by the PreToolUse hook");
    expect(second).toContain("Read nothing.");
    expect(third).toContain("Stop hook: Run the tests.");
    const seen = inputs();
    expect(new Set(seen.map(({ session_id }) => session_id)).size).toBe(1);
    expect(seen).toMatchObject([
      { hook_event_name: "SessionStart", source: "startup" },
      { hook_event_name: "UserPromptSubmit", prompt: "do it" },
      { hook_event_name: "PreToolUse", prompt_id: expect.stringMatching(/^[0-9a-f-]{36}$/u) },
      { hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "Done." },
      { hook_event_name: "Stop", stop_hook_active: true, last_assistant_message: "Now it is." },
      { hook_event_name: "SessionEnd", reason: "other" },
    ]);
  });

  it("block a prompt, which then is no part of the conversation", async () => {
    const place = await openPlace([say("Hello.")]);
    const { options } = useHooks(place, { UserPromptSubmit: "echo Has a password. >&2; exit 2" });
    const { code, events } = await place.agent(["my password", ...options, "--session", "mine"]);
    expect(code).not.toBe(0);
    expect(endOf(events).error).toContain("blocked this prompt: Has a password.");
    expect(place.model.requests).toEqual([]);
    await place.agent(["hello", "--session", "mine"]);
    expect(JSON.stringify(place.model.requests[0]?.body)).not.toContain("my password");
  });

  it("stop the agent", async () => {
    const place = await openPlace([call("read", { path: "a.txt" }), say("Never.")], files);
    const output = { continue: false, stopReason: "Enough." };
    const { options } = useHooks(place, { PostToolUse: print(output) });
    const { events } = await place.agent(["look", ...options]);
    expect(endOf(events)).toMatchObject({
      reason: "error",
      error: expect.stringContaining("stopped the agent: Enough."),
    });
    expect(place.model.requests).toHaveLength(1);
  });

  it("run around the calls of subagents, which they can tell", async () => {
    const place = await openPlace(
      script({
        "You review": [call("read", { path: "a.txt" }), say("It says one.")],
        "": [
          call("task", { subagent_type: "reviewer", prompt: "Review a.txt." }),
          say("So it is."),
        ],
      }),
      files,
    );
    const events = ["PreToolUse", "Stop", "SubagentStop", "UserPromptSubmit"];
    const names = Object.fromEntries(events.map((event) => [event, ""]));
    const { options, inputs } = useHooks(place, names);
    const { code } = await place.agent(["review it", ...options, "--trust-project"]);
    expect(code).toBe(0);
    expect(inputs()).toMatchObject([
      { hook_event_name: "UserPromptSubmit" },
      { tool_name: "Agent", tool_input: { subagent_type: "reviewer", prompt: "Review a.txt." } },
      { tool_name: "Read", agent_type: "reviewer", agent_id: expect.any(String) },
      { hook_event_name: "SubagentStop", agent_type: "reviewer" },
      { hook_event_name: "Stop" },
    ]);
  });
});
