import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDesk, type Desk } from "./support/desk.ts";
import { serveHttp } from "./support/serve-http.ts";
import { listUsable, storyFiles } from "./support/story.ts";

const inspector = { client: "inspector", program: "mcp-inspector" };

/** How the Inspector is told where we are. */
const ways: Readonly<Record<string, (desk: Desk) => Promise<readonly string[]>>> = {
  stdio: async (desk) => {
    // It takes settings as Claude Code has them.
    const { stdout } = await desk.haft(
      "mcp",
      "install",
      "claude",
      "--dialect",
      "portable",
      "--print",
    );
    const file = join(desk.home, "servers.json");
    writeFileSync(file, stdout);
    return ["--config", file, "--server", "haft"];
  },
  HTTP: async (desk) => {
    const { url, token } = await serveHttp(desk);
    return [url, "--header", `Authorization: Bearer ${token}`];
  },
};

interface Shown {
  readonly tools: readonly { name: string; annotations: object }[];
  readonly content: readonly { type: string; text: string }[];
}

describe.each([
  ["stdio", "legacy"],
  ["stdio", "modern"],
  ["HTTP", "legacy"],
  ["HTTP", "modern"],
])("The MCP Inspector over %s in the %s era", (way, era) => {
  it("finds nothing wrong with our tools, and uses them", async () => {
    const desk = createDesk(storyFiles);
    const target = await (ways[way] as (typeof ways)[string])(desk);
    const ask = async (exitCode: number, ...args: string[]): Promise<Shown> => {
      const given = ["--cli", ...target, "--protocol-era", era, ...args];
      const ran = await desk.run(inspector, given);
      expect(ran.exitCode, `${args.join(" ")}: ${ran.stdout}${ran.stderr}`).toBe(exitCode);
      return JSON.parse(ran.stdout) as Shown;
    };
    const call = (tool: string, given: object, exitCode = 0): Promise<Shown> =>
      ask(
        exitCode,
        ...["--method", "tools/call", "--tool-name", tool],
        ...["--tool-args-json", JSON.stringify(given)],
      );

    const { tools } = await ask(0, "--method", "tools/list", "--strict");
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(await listUsable(desk)));
    expect(tools.find(({ name }) => name === "read")).toMatchObject({
      annotations: { readOnlyHint: true, openWorldHint: false },
    });

    const read = await call("read", { path: "story.txt" });
    expect(read.content[0]?.text).toContain("120: line 120 of the story");
    await call("edit", {
      path: "story.txt",
      old_string: "line 60 of",
      new_string: "the middle of",
    });
    expect(desk.read("story.txt")).toContain("\nthe middle of the story\n");
    const grep = await call("grep", { pattern: "middle" });
    expect(grep.content[0]?.text).toBe("story.txt\n60: the middle of the story");
    const bash = await call("bash", { command: "echo ran > made.txt && cat made.txt" });
    expect(bash.content[0]?.text).toContain("ran");
    expect(desk.read("made.txt")).toBe("ran\n");
    const wrong = await call("read", { pat: "story.txt" }, toolFailed);
    expect(wrong.content[0]?.text).toContain("pat");
  });
});

const toolFailed = 5;

describe("The MCP Inspector without the token", () => {
  it("is turned away", async () => {
    const desk = createDesk(storyFiles);
    const { url } = await serveHttp(desk);
    const ran = await desk.run(inspector, ["--cli", url, "--method", "tools/list"]);
    expect(ran.exitCode).not.toBe(0);
    expect(`${ran.stdout}${ran.stderr}`).toMatch(/401|auth_required/u);
  });
});
