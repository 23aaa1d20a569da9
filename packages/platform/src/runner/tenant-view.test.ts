import { once } from "node:events";
import { realpathSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { besideFile } from "@haft/computer/internal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultSettings } from "../platform-settings.ts";
import { type BuildTools, findBuildTools } from "../publish/build-tools.ts";
import type { Builder } from "../publish/builder.ts";
import { createBuilder } from "../publish/create-builder.ts";
import { buildQuietly, makeProject } from "../publish/test-support/open-builder.ts";
import { createRunner, type SandboxRunner } from "./create-runner.ts";
import { findPython } from "./find-python.ts";
import {
  enterOperatorMachine,
  nodeLook,
  type OperatorMachine,
  pythonLook,
  type Sighting,
} from "./test-support/look-around.ts";
import { makeRun, nodeTool, outputOf, pythonTool } from "./test-support/open-runner.ts";

describe.runIf(process.platform === "linux")("the view of a tool on the machine", () => {
  let machine: OperatorMachine;
  let runner: SandboxRunner;
  let builder: Builder;
  let tools: BuildTools;
  const ownScripts = [
    dirname(besideFile(import.meta.url, "node-worker/node-worker")),
    fileURLToPath(new URL("../../runner", import.meta.url)),
  ];
  const node = realpathSync(process.execPath);
  beforeAll(() => {
    machine = enterOperatorMachine();
    tools = findBuildTools();
    builder = createBuilder({
      directory: join(machine.data, "builder"),
      settings: defaultSettings,
      tools,
    });
    runner = createRunner({
      settings: defaultSettings.runner,
      privateHosts: "declared",
      directory: join(machine.data, "runner"),
    });
  });
  afterAll(async () => {
    await runner.close(0);
    await builder.close();
    machine.leave();
  });

  const expectBare = (seen: Sighting): void => {
    expect(seen.unexpected).toEqual([]);
    expect(seen.canaries).toEqual([]);
    expect(seen.user).toBe("haft");
    expect(seen.host.replaceAll("\n", "")).toMatch(/^(?:haft)+$/u);
    expect(seen.environment).toMatchObject({ HOME: "/home/haft", TMPDIR: "/tmp" });
    expect(Object.keys(seen.environment).filter((name) => !knownVariable.test(name))).toEqual([]);
    expect(seen.environment.PATH?.split(":").filter((path) => !isOfSystem(path))).toEqual([]);
    expect(seen.etc.filter((name) => !knownEtc.test(name))).toEqual([]);
  };

  it.each([[[]], [["example.com"]]])(
    "is the base system and Node, with hosts %j",
    async (hosts) => {
      const tool = nodeTool(
        `${nodeLook}\nexport const runTool = ({ toolInput }) => lookAround(toolInput.reversed, toolInput.allowed);`,
        { allowedHosts: hosts },
      );
      const allowed = [...ownScripts, node, join(machine.data, "runner/empty")];
      const input = { reversed: machine.reversed, allowed };
      expectBare(JSON.parse(outputOf(await runner.run(tool, makeRun({ input })))));
    },
  );

  it("has the way out that the tool declares, wherever temporary files are", async () => {
    const server = createServer((_, response) => response.end("reached")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const tool = nodeTool(`return (await fetch("http://127.0.0.1:${port}/")).text();`, {
      allowedHosts: [`127.0.0.1:${port}`],
    });
    expect(outputOf(await runner.run(tool, makeRun()))).toBe("reached");
    server.close();
  });

  it("is in Python the interpreter besides", async () => {
    const tool = pythonTool(
      `${pythonLook}\ndef run_tool(tool_input, *_):\n    return look_around(tool_input["reversed"], tool_input["allowed"])`,
    );
    const python = await findPython();
    const allowed = [
      ...ownScripts,
      node,
      join(machine.data, "runner/empty"),
      ...(python?.reads ?? []),
    ];
    const input = { reversed: machine.reversed, allowed };
    expectBare(JSON.parse(outputOf(await runner.run(tool, makeRun({ input })))));
  });

  it.each(["test/tool.test.ts", "src/tool.ts"])(
    "is no more while %s runs in a build",
    async (at) => {
      const allowed = [
        node,
        join(machine.data, "builder/builds"),
        ...(await tools.pathsFor("node")).reads,
      ];
      const look = `
      import { lookAround } from ${JSON.stringify(at.startsWith("src") ? "./look.js" : "../src/look.js")};
      console.log("seen" + JSON.stringify(lookAround(${JSON.stringify(machine.reversed)}, ${JSON.stringify(allowed)})));
    `;
      const entry = "export const runTool = () => 1;";
      const project = await makeProject("node", {
        "src/tool.ts": entry,
        "test/tool.test.ts": undefined,
        "src/look.js": nodeLook,
        [at]: `${look}${at.startsWith("src") ? entry : ""}`,
      });
      const { lines } = await buildQuietly(builder, project);
      expectBare(readSighting(lines));
    },
  );

  it("stays the same while the tests of a Python project run", async () => {
    const allowed = [
      node,
      join(machine.data, "builder/builds"),
      ...(await tools.pathsFor("python")).reads,
    ];
    const project = await makeProject("python", {
      "test/test_tool.py": `${pythonLook}\nimport json\ndef test_view():\n    print("seen" + json.dumps(look_around("${machine.reversed}", ${JSON.stringify(allowed)})))\n`,
    });
    const { lines } = await buildQuietly(builder, project);
    expectBare(readSighting(lines));
  });

  const readSighting = (lines: readonly string[]): Sighting => {
    const line = lines.find((each) => each.startsWith("seen"));
    return JSON.parse(line?.slice(4) ?? "{}");
  };
});

// With the certificate authorities that the operator trusts, and what tells of the way out.
const knownVariable =
  /^(?:HOME|USER|LOGNAME|SHELL|TMPDIR|PATH|LANG|PWD|SHLVL|_|OLDPWD|NODE_NO_WARNINGS|NODE_TEST_\w+|PYTHON\w+|LC_CTYPE|\w*(?:_CA_|CERT|CA_BUNDLE)\w*|\w*proxy|\w*PROXY|FORCE_COLOR)$/u;

const knownEtc =
  /^(?:passwd|group|hosts|hostname|nsswitch\.conf|resolv\.conf|gitconfig|ld\S+|\S+-release|debian_version|localtime|timezone|locale\.\w+|ssl|pki|ca-certificates\S*|crypto-policies|protocols|services|networks|ethertypes|rpc|mime\.types|magic\S*|host\.conf|gai\.conf|alternatives)$/u;

function isOfSystem(path: string): boolean {
  return /^\/(?:usr\/(?:local\/)?)?s?bin$/u.test(path) || dirname(path) === "/";
}
