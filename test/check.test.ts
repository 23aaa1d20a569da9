import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

// Runs the real scripts/check.mjs with programs that say what the test wants to hear.

const scripts = fileURLToPath(new URL("../scripts", import.meta.url));
const isRoot = process.getuid?.() === 0;
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "haft-check-test-"));
  const filter = (path: string): boolean => !path.includes("node_modules");
  await cp(scripts, join(root, "scripts"), { recursive: true, filter });
  await writeFile(join(root, "scripts/check-packages.mjs"), "");
  await writeFile(join(root, "scripts/api-reference/write-api-reference.mjs"), "");
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
    const names = [
      "API reference",
      "build",
      "lint",
      "packages",
      "tests",
      "types of tests",
      "types of the console",
      "unused code",
    ];
    const expected = isRoot ? [...names, "tests as an ordinary user"] : names;
    expect(held.sort()).toEqual(expected.map((name) => `✓ ${name}`).sort());
    expect(lines).not.toContain("fine");
    expect(lines.at(-1)).toBe(counted({ passed: 3, failed: 0 }));
  });

  test("shows the tests as they run", async () => {
    await putTests({ numPassedTests: 3 }, "echo the tests speak");
    expect((await check()).lines).toContain("the tests speak");
  });

  test.runIf(isRoot)("runs the tests of the walls again as an ordinary user", async () => {
    await chmod(root, 0o700);
    const look = `echo "user $(id -u) $(id -un), files $(ls package-here)"; touch package-here 2>&1`;
    await writeFile(join(root, "package-here"), "");
    await putTests({ numPassedTests: 3 }, `${look} || true`);
    const { lines } = await check();
    const users = lines.filter((line) => line.startsWith("user "));
    expect(users).toEqual([
      "user 0 root, files package-here",
      "user 23456 haft-tests, files package-here",
    ]);
    expect(lines.filter((line) => line.includes("Permission denied"))).toHaveLength(1);
  });

  test.runIf(isRoot)("leaves a test out of one run only if the other has it", async () => {
    await putTests({ numPassedTests: 3 }, 'echo "without $HAFT_TESTS_OF_OTHER_RUN, of $*"');
    const runs = (await check()).lines.flatMap((line) => {
      const [, left, words] = /^without (.*), of (.*)$/.exec(line) ?? [];
      return left === undefined ? [] : [{ left: left.split(" "), words: words?.split(" ") ?? [] }];
    });
    const [ofRoot, ofUser] = runs;
    if (ofRoot === undefined || ofUser === undefined) throw new Error("There were not two runs.");
    for (const path of ofRoot.left) {
      expect(ofUser.left).not.toContain(path);
      expect(ofUser.words.some((word) => path.startsWith(word))).toBe(true);
    }
    for (const path of [...ofRoot.left, ...ofUser.left]) {
      expect(existsSync(join(dirname(scripts), path)), path).toBe(true);
    }
  });

  test.runIf(isRoot)("fails if the tests fail for an ordinary user only", async () => {
    await putTests({ numPassedTests: 3 }, "test $(id -u) = 0");
    const { code, lines } = await check();
    expect(code).toBe(1);
    expect(lines.slice(-2)).toEqual(["Failed: tests as an ordinary user.", "6 passed, 1 failed"]);
  });

  test("shows what a failing check said, runs the others all the same, and fails", async () => {
    await putProgram("biome", "echo this is wrong >&2; exit 1");
    const { code, lines } = await check();
    expect(code).toBe(1);
    expect(lines).toContain("this is wrong");
    expect(lines.filter((line) => line.startsWith("✓"))).toHaveLength(isRoot ? 8 : 7);
    expect(lines.slice(-2)).toEqual(["Failed: lint.", counted({ passed: 3, failed: 0 })]);
  });

  test("counts failed and skipped tests", async () => {
    const counts = { numPassedTests: 3, numFailedTests: 2, numPendingTests: 4, numTodoTests: 1 };
    await putTests(counts, "exit 1");
    const { code, lines } = await check();
    expect(code).toBe(1);
    expect(lines.at(-1)).toBe(counted({ passed: 3, failed: 2, skipped: 5 }));
  });

  test("repeats failed tests at the end, with what they said", async () => {
    const assertionResults = [
      { status: "passed", fullName: "adds", failureMessages: [] },
      { status: "failed", fullName: "subtracts", failureMessages: ["expected 1 to be 2"] },
    ];
    const testResults = [{ name: join(root, "a.test.ts"), message: "", assertionResults }];
    await putTests({ numPassedTests: 1, numFailedTests: 1, testResults }, "exit 1");
    const text = (await check()).lines.slice(-8).join("\n");
    expect(text).toContain("tests: a.test.ts > subtracts\nexpected 1 to be 2");
    expect(text).not.toContain("adds");
  });

  test("counts a failure when the tests fail without a failed test", async () => {
    await putTests({ numPassedTests: 3, numFailedTests: 0 }, "exit 1");
    const passed = isRoot ? 6 : 3;
    expect((await check()).lines.at(-1)).toBe(`${passed} passed, 1 failed`);
  });

  test("counts a failure when the tests don't even report", async () => {
    await putProgram("vitest", "exit 1");
    const { code, lines } = await check();
    expect(code).toBe(1);
    expect(lines.at(-1)).toBe("0 passed, 1 failed");
  });

  test("fails if the tests were never counted", async () => {
    await putProgram("vitest", "exit 0");
    const { code, lines } = await check();
    expect(code).toBe(1);
    expect(lines.at(-1)).toBe("0 passed, 1 failed");
  });
});

/** The last line, where each run reports these counts: root runs the tests of the walls twice. */
function counted(counts: { passed: number; failed: number; skipped?: number }): string {
  const { passed, failed, skipped = 0 } = counts;
  const times = isRoot ? 2 : 1;
  const line = `${passed * times} passed, ${failed * times} failed`;
  return skipped === 0 ? line : `${line}, ${skipped * times} skipped`;
}

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
