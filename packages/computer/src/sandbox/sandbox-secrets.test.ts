import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import {
  openTestSandbox,
  type TestRun,
  type TestRunOptions,
  type TestSandbox,
} from "../test-support/open-test-sandbox.ts";

let tested: TestSandbox;

beforeAll(async () => {
  if (!isMissing("bwrap")) tested = await openTestSandbox();
});
afterAll(() => tested?.close());

const run = (workspace: string, command: string, options?: TestRunOptions): Promise<TestRun> =>
  tested.run(workspace, command, options);

describe.skipIf(isMissing("bwrap"))("secrets in a sandbox", () => {
  const secret = "SECRET=value-of-the-secret";

  it.each([
    "cat .env",
    "cat < .env",
    "grep -r value .",
    "cp .env copy; cat copy",
    "mv .env copy; cat copy",
    "ln .env copy; cat copy",
    "ln -s .env copy; cat copy",
    "chmod 644 .env; cat .env",
    "rm -f .env; cat .env",
    "git init -q; git add -f .env; git show :.env",
    "tar cf - .env",
    "cat sub/key.pem sub/.aws/credentials; ls sub/.aws",
    "mv sub moved; cat moved/key.pem moved/.aws/credentials",
    "mv sub/.aws aws; cat aws/credentials",
    "cat link",
    "cat /proc/self/cwd/.env /proc/1/root$PWD/.env",
    "python3 -c 'print(open(\".env\").read())'",
    "exec 3<>.env; cat <&3",
    "head -c 100 ../*/.env",
    "cat sub/plain-name.txt",
    "cat cloud/credentials cloud/any",
  ])("are not read by: %s", async (command) => {
    const workspace = tested.makeWorkspace({
      ".env": secret,
      "sub/key.pem": secret,
      "sub/.aws/credentials": secret,
      "sub/plain-name.txt": secret,
      "cloud/any": secret,
    });
    symlinkSync("cloud", join(workspace, ".aws"));
    symlinkSync("sub/plain-name.txt", join(workspace, "credentials.json"));
    symlinkSync(".env", join(workspace, "link"));
    const { output } = await run(workspace, `{ ${command}; } 2>&1; echo end`);
    expect(output).toMatch(/end\n$/u);
    expect(output).not.toContain("value-of");
    expect(readFileSync(join(workspace, ".env"), "utf8")).toBe(secret);
  });

  it("are not read in directories that can only be read either", async () => {
    const workspace = tested.makeWorkspace();
    const other = tested.makeWorkspace({ ".env": secret, plain: "plain" });
    const { output } = await run(workspace, `cat ${other}/plain ${other}/.env 2>&1`, {
      readable: [other],
    });
    expect(output).toMatch(/^plaincat: .*\.env: Permission denied\n$/u);
  });

  it("are hidden although everything else can be used", async () => {
    const workspace = tested.makeWorkspace({ ".env": secret, ".env.example": "x", "a/b": "y" });
    const { output, notes } = await run(workspace, "cat .env.example a/b; echo z >c; ls -A");
    expect(output).toBe("xy.env\n.env.example\na\nc\n");
    expect(notes).toEqual([]);
  });

  it("can be made, and are hidden from then on", async () => {
    const workspace = tested.makeWorkspace();
    const { exitCode } = await run(workspace, `echo ${secret} >.env && cat .env`);
    expect(exitCode).toBe(0);
    expect((await run(workspace, "cat .env 2>&1")).output).toContain("Permission denied");
  });

  it("in the state of Haft are not seen, also where a workspace holds it", async () => {
    const base = mkdtempSync(join(tmpdir(), "haft-sandbox-"));
    const whole = await openTestSandbox({ base, roots: [base] });
    try {
      const { stateDirectory } = whole.place;
      const { output } = await whole.run(
        whole.base,
        `ls ${stateDirectory} 2>&1; touch ${stateDirectory}/x 2>&1; chmod 755 ${stateDirectory} 2>&1; echo x >made`,
      );
      expect(output).toMatch(/^ls: .*Permission denied\n.*Permission denied\n.*Read-only/u);
      expect(readdirSync(whole.base)).toContain("made");
      expect(existsSync(join(stateDirectory, "x"))).toBe(false);
    } finally {
      whole.close();
    }
  });
});
