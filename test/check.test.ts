import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

// Runs the real scripts/check.mjs with programs that say what the test wants to hear.

const scripts = fileURLToPath(new URL("../scripts", import.meta.url));
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "haft-check-test-"));
  await cp(scripts, join(root, "scripts"), { recursive: true });
  await writeFile(join(root, "scripts/check-packages.mjs"), "");
  await writeFile(join(root, "scripts/build.mjs"), "");
  await mkdir(join(root, "node_modules/.bin"), { recursive: true });
  await Promise.all(["biome", "tsc", "knip"].map((name) => putProgram(name, "echo fine")));
  await putTests({ numPassedTests: 3 });
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe("check", () => {
  test("says in one line each what held, and closes with the number of tests", async () => {
    const { code, lines } = await check();
    expect(code).toBe(0);
    const held = lines.filter((line) => line.startsWith("✓")).map(withoutTime);
    expect(held.sort()).toEqual(
      ["build", "lint", "packages", "tests", "types of tests", "unused code"].map((x) => `✓ ${x}`),
    );
    expect(lines).not.toContain("fine");
    expect(lines.at(-1)).toBe("3 passed, 0 failed");
  });

  test("shows the tests as they run", async () => {
    await putTests({ numPassedTests: 3 }, "echo the tests speak");
    expect((await check()).lines).toContain("the tests speak");
  });

  test("shows what a failing check said, runs the others all the same, and fails", async () => {
    await putProgram("biome", "echo this is wrong >&2; exit 1");
    const { code, lines } = await check();
    expect(code).toBe(1);
    expect(lines).toContain("this is wrong");
    expect(lines.filter((line) => line.startsWith("✓"))).toHaveLength(5);
    expect(lines.slice(-2)).toEqual(["Failed: lint.", "3 passed, 0 failed"]);
  });

  test("counts failed and skipped tests", async () => {
    const counts = { numPassedTests: 3, numFailedTests: 2, numPendingTests: 4, numTodoTests: 1 };
    await putTests(counts, "exit 1");
    const { code, lines } = await check();
    expect(code).toBe(1);
    expect(lines.at(-1)).toBe("3 passed, 2 failed, 5 skipped");
  });

  test("counts a failure when the tests fail without a failed test", async () => {
    await putTests({ numPassedTests: 3, numFailedTests: 0 }, "exit 1");
    expect((await check()).lines.at(-1)).toBe("3 passed, 1 failed");
  });

  test("counts a failure when the tests don't even report", async () => {
    await putProgram("vitest", "exit 1");
    const { code, lines } = await check();
    expect(code).toBe(1);
    expect(lines.at(-1)).toBe("0 passed, 1 failed");
  });

  test("doesn't take tests that were never counted for a success", async () => {
    await putProgram("vitest", "exit 0");
    const { code, lines } = await check();
    expect(code).toBe(1);
    expect(lines.at(-1)).toBe("0 passed, 1 failed");
  });
});

/** A vitest that reports these counts. */
function putTests(counts: object, then = ""): Promise<void> {
  const report = `echo '${JSON.stringify(counts)}' > "$file"`;
  return putProgram("vitest", `for last; do file=\${last#*=}; done\n${report}\n${then}`);
}

async function putProgram(name: string, script: string): Promise<void> {
  const file = join(root, "node_modules/.bin", name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

function check(): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, "scripts/check.mjs")], (error, stdout) => {
      resolve({ code: Number(error?.code ?? 0), lines: stdout.trimEnd().split("\n") });
    });
  });
}

function withoutTime(line: string): string {
  return line.replace(/ \(.*/, "");
}
