import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTestWorkspace } from "../../test-support/run-haft.ts";

const code = (greeting: string): string => `
export const runTool = ({ toolInput, config }) => {
  console.log("greeting " + config.TOKEN);
  if (toolInput.name === "") throw new RangeError("no name");
  return { lines: ["${greeting}", toolInput.name] };
};
`;
const python = `
async def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    print("from python")
    return "Hello " + tool_input["name"]
`;
const inputSchema = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
};

function open(runtime: "node" | "python" = "node") {
  const { haft, directory } = createTestWorkspace();
  const write = (path: string, content: string | object): void => {
    const file = join(directory, "greeter", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  };
  const manifest = { name: "greeter", description: "Greets.", runtime, inputSchema };
  const variables = runtime === "node" ? { requiredSecretEnvvars: ["TOKEN"] } : {};
  write("tool.json", { ...manifest, ...variables });
  if (runtime === "node") write("src/tool.js", code("Hello"));
  else {
    write("src/__init__.py", "");
    write("src/tool.py", python);
  }
  write("examples/ada.json", { name: "Ada" });
  // Not run: neither an example nor part of what git knows.
  write("node_modules/x/examples/x.json", "{");
  write(".gitignore", "node_modules/\n");
  return { haft, write };
}

describe("haft tool dev", () => {
  const secret = ["--secret-env", "TOKEN=s3cret-token"];

  it("runs the examples once, and fails if one does", async () => {
    const { haft, write } = open();
    const words = ["tool", "dev", "greeter", "--once", ...secret];
    const ran = await haft(words);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toMatch(
      /^Built in .*\n✓ examples\/ada\.json, \d+ ms\n {4}stdout \| greeting/u,
    );
    expect(ran.stdout).not.toContain("s3cret");
    expect(ran.stdout).toMatch(/"lines": \[\n +"Hello",\n +"Ada"\n/u);
    write("examples/bad.json", { name: 5 });
    write("examples/nobody.json", { name: "" });
    const failed = await haft([...words, "--json"]);
    expect(failed.exitCode).toBe(1);
    expect(failed.json()).toMatchObject({
      results: [
        { example: "examples/ada.json", succeeded: true, output: '{"lines":["Hello","Ada"]}' },
        { succeeded: false, error: expect.stringContaining("name must be string") },
        { succeeded: false, error: expect.stringMatching(/^RangeError: no name\n.*tool\.js:4/su) },
      ],
    });
    expect(await haft(["tool", "dev", "greeter", "--once"])).toMatchObject({
      ...{ exitCode: 1, stdout: "✗ tool.json requires TOKEN. Add its value to --secret-env.\n" },
    });
  });

  it("runs them again after changes, shows what differs, and ends when it is stopped", async () => {
    const { haft, write } = open();
    const controller = new AbortController();
    let seen = "";
    const steps: (() => void)[] = [
      () => write("src/tool.js", code("Goodbye")),
      () => write("src/tool.js", "export const runTool = () => {\n  return (;\n};\n"),
      () => write("src/tool.js", code("Hello")),
      () => controller.abort(),
    ];
    const { exitCode, stdout } = await haft(["tool", "dev", "greeter", ...secret], {
      signal: controller.signal,
      onError: (text) => {
        seen += text;
        if (text.includes("waiting for changes")) steps.shift()?.();
      },
    });
    expect({ exitCode, steps: steps.length }).toEqual({ exitCode: 0, steps: 0 });
    expect(seen.match(/waiting for changes/gu)).toHaveLength(4);
    expect(stdout).toContain('-     "Hello",\n    +     "Goodbye",\n');
    expect(stdout).toMatch(/✗ The build failed\. The log ends .*src\/tool\.js:2:/su);
    expect(stdout).toContain('-     "Goodbye",\n    +     "Hello",\n');
  });

  it("runs a tool in Python with the input of a file", async () => {
    const { haft, write } = open("python");
    write("other.json", { name: "Grace" });
    const ran = await haft(["tool", "dev", "greeter", "--once", "--input", "greeter/other.json"]);
    expect(ran.stdout).toMatch(
      /other\.json, \d+ ms\n {4}stdout \| from python\n {4}Hello Grace\n/u,
    );
  });

  it.each([
    [["dev"], "has no tool.json. Name a tool's folder: haft tool dev DIR"],
    [["dev", "--input", "nope.json"], "--input: there is no file"],
    [["dev", "--env", "foo"], "--env takes NAME=VALUE."],
  ])("refuses %j", async (words, why) => {
    const { haft } = createTestWorkspace();
    expect(await haft(["tool", ...words])).toMatchObject({
      ...{ exitCode: 2, stderr: expect.stringContaining(why) },
    });
  });
});
