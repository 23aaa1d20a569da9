import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { createBroker } from "../broker/broker.ts";
import { brokerStartFor, openSandbox } from "../sandbox/open-sandbox.ts";
import type { SandboxContext } from "../sandbox/sandbox-context.ts";
import { openTestSandbox } from "../test-support/open-test-sandbox.ts";
import { isRoot } from "../test-support/privileges.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { examineLayers, type LayerSupport } from "./examine-layers.ts";

describe.skipIf(isMissing("bwrap"))("examineLayers", () => {
  it("finds layers available, and leaves nothing behind", async () => {
    const tested = await openTestSandbox();
    onTestFinished(() => tested.close());
    expect(await tested.sandbox.examineLayers()).toEqual({ isAvailable: true });
    expect(readdirSync(join(tested.place.stateDirectory, "layers"))).toEqual([]);
  });

  it.runIf(isRoot)("finds them for a workspace of another user too", async () => {
    const place = plant();
    chownSync(place.roots[0] ?? "", 12_345, 12_346);
    expect(await open(place)).toEqual({ isAvailable: true });
  });

  it.runIf(isRoot)("names a mount inside the workspace", async () => {
    const place = plant();
    const path = join(place.roots[0] ?? "", "a volume");
    mkdirSync(path);
    mount(path, ["-t", "tmpfs", "tmpfs"]);
    expectObstacle(await open(place), `mounted inside the workspace, at ${path} (tmpfs)`);
  });

  it.runIf(isRoot)("names a file system that can't hold layers", async () => {
    const place = plant();
    const base = makeTemporaryDirectory();
    const names = ["lower", "upper", "work"].map((name) => join(base, name));
    for (const path of [...names, place.stateDirectory]) mkdirSync(path, { recursive: true });
    const options = names.map((path) => `${path.slice(base.length + 1)}dir=${path}`).join(",");
    mount(place.stateDirectory, ["-t", "overlay", "overlay", "-o", options]);
    expectObstacle(await examineLayers(place, answer("")), "can't hold layers (overlay)");
  });

  it.runIf(isRoot)("refuses directories of different owners", async () => {
    const place = plant();
    const other = makeTemporaryDirectory();
    chownSync(other, 12_345, 12_345);
    const roots = [...place.roots, other];
    expectObstacle(await examineLayers({ ...place, roots }, answer("")), "different users");
  });

  it("refuses a workspace and a state directory of which one contains the other", async () => {
    const place = plant();
    const stateDirectory = join(place.roots[0] ?? "", "state");
    const within = await examineLayers({ ...place, stateDirectory }, answer("mounted\n"));
    expectObstacle(within, "contain one another");
    const roots = [join(place.stateDirectory, "layers/work")];
    expectObstacle(await examineLayers({ ...place, roots }, answer("")), "contain one another");
  });

  it.each([
    ["haft: uid_map: Operation not permitted\n", /refuses.*uid_map/u, /namespaces|sysctl/u],
    ["haft: /w can't be mounted as a layer: No such device\n", /No such device/u, /5\.11/u],
    ["", /nothing was printed/u, /5\.11/u],
  ])("explains %j", async (output, reason, remedy) => {
    const support = await examineLayers(plant(), answer(output));
    expect(support).toEqual({
      isAvailable: false,
      reason: expect.stringMatching(reason),
      remedy: expect.stringMatching(remedy),
    });
  });

  it("says that Perl is missing", async () => {
    // No program is used that lies in the workspace.
    const support = await examineLayers({ ...plant(), roots: ["/"] }, answer(""));
    expectObstacle(support, "Perl, which is not installed");
  });
});

function plant(): SandboxContext {
  const base = makeTemporaryDirectory();
  chmodSync(base, 0o755);
  const workspace = join(base, "work");
  mkdirSync(workspace);
  return {
    roots: [workspace],
    home: undefined,
    stateDirectory: join(base, "state"),
    searchPath: process.env.PATH,
  };
}

/** Examines with the sandbox of this machine. */
async function open(place: SandboxContext): Promise<LayerSupport> {
  const broker = createBroker(brokerStartFor(place));
  onTestFinished(() => broker.close());
  const finding = await openSandbox(place, async (plan) => {
    let output = "";
    const launched = await broker.launch(plan, {
      output: (bytes) => {
        output += bytes.toString();
        return undefined;
      },
    });
    const { exitCode } = await launched.ended;
    return { output, exitCode };
  });
  if (finding.sandbox === undefined) throw new Error(finding.reason);
  return finding.sandbox.examineLayers();
}

function answer(output: string): Parameters<typeof examineLayers>[1] {
  return async () => ({ exitCode: 0, output });
}

function mount(path: string, options: readonly string[]): void {
  execFileSync("mount", [...options, path]);
  onTestFinished(() => {
    execFileSync("umount", ["-l", path]);
  });
}

function expectObstacle(support: LayerSupport, reason: string): void {
  expect(support).toEqual({
    isAvailable: false,
    reason: expect.stringContaining(reason),
    remedy: expect.stringMatching(/^[A-Z].*\.$/u),
  });
}
