import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scriptModel } from "./test-support/script-model.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const guide = readFileSync(join(root, "docs/guides/agents.md"), "utf8");

/** The snippets by their file names. */
const snippets = new Map(
  Array.from(guide.matchAll(/```ts\n\/\/ (\S+)\n(.*?)```/gsu), ([, name, code]) => [name, code]),
);

let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "haft-guide-"));
  const workspace = join(place, "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "a.txt"), "alpha\n");
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
  vi.stubEnv("HAFT_HOME", join(place, "state"));
  const session = snippets.get("session.ts")?.replace('"."', JSON.stringify(workspace));
  writeFileSync(join(place, "session.ts"), session ?? "");
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(place, { recursive: true, force: true });
});

async function run(name: string): Promise<unknown> {
  const code = snippets.get(name);
  if (code === undefined) throw new Error(`The guide has no ${name}.`);
  writeFileSync(join(place, name), code);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(/* @vite-ignore */ join(place, name));
  return log.mock.lastCall?.[0];
}

const args = { path: "a.txt" };
const json = JSON.stringify(args);

describe("docs/guides/agents.md", () => {
  it.each<[string, string, readonly unknown[]]>([
    [
      "responses.ts",
      "OPENAI",
      [
        {
          id: "r1",
          object: "response",
          output: [{ type: "function_call", call_id: "1", name: "read", arguments: json }],
        },
        {
          id: "r2",
          object: "response",
          output: [{ type: "message", content: [{ type: "output_text", text: "Done." }] }],
        },
      ],
    ],
    [
      "chat.ts",
      "OPENAI",
      [
        {
          type: "function",
          id: "1",
          function: { name: "read", arguments: json },
        },
        undefined,
      ].map((call) => ({
        choices: [
          {
            message: {
              role: "assistant",
              ...(call === undefined ? { content: "Done." } : { tool_calls: [call] }),
            },
          },
        ],
      })),
    ],
    [
      "messages.ts",
      "ANTHROPIC",
      [
        { role: "assistant", content: [{ type: "tool_use", id: "1", name: "read", input: args }] },
        { role: "assistant", content: [{ type: "text", text: "Done." }] },
      ],
    ],
    [
      "gemini.ts",
      "GEMINI",
      [{ functionCall: { name: "read", args } }, { text: "Done." }].map((part) => ({
        candidates: [{ content: { role: "model", parts: [part] } }],
      })),
    ],
  ])("has a %s that runs as it stands", async (name, provider, answers) => {
    const model = await scriptModel(answers);
    vi.stubEnv(`${provider}_API_KEY`, "x");
    const base = provider === "GEMINI" ? "GOOGLE_GEMINI_BASE_URL" : `${provider}_BASE_URL`;
    vi.stubEnv(base, model.url);
    expect(await run(name)).toBe("Done.");
    expect(JSON.stringify(model.request(1))).toContain("1: alpha");
  });

  it("has an ai-sdk.ts that runs as it stands", async () => {
    const mock = fileURLToPath(new URL("../ai-sdk/test-support/script-mock.ts", import.meta.url));
    const script = `[[call("1", "read", ${json})], "Done."]`;
    writeFileSync(
      join(place, "model.ts"),
      `import { call, scriptMock } from ${JSON.stringify(mock)};\nexport const model = scriptMock(${script});\n`,
    );
    expect(await run("ai-sdk.ts")).toBe("Done.");
  });

  it("has no snippet that is not run here", () => {
    expect([...snippets.keys()]).toEqual([
      "session.ts",
      "ai-sdk.ts",
      "responses.ts",
      "chat.ts",
      "messages.ts",
      "gemini.ts",
    ]);
  });
});
