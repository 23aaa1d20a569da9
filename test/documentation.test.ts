import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { errorCodes } from "@haft/contract";
import { describe, expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));

const packages = readdirSync(`${root}packages`);

describe("README", () => {
  it("shows an example that runs as it stands", async () => {
    const readme = readFileSync(`${root}README.md`, "utf8");
    const example = /```ts\n(.*?)```/su.exec(readme)?.[1];
    const program = `${example}\nconsole.log(JSON.stringify(result));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module-typescript", "--eval", program],
      { cwd: root },
    );
    expect(JSON.parse(stdout)).toMatchObject({ type: "output", data: { content: "1: be kind" } });
  });

  it.each(packages.filter((name) => name !== "cli" && name !== "console"))(
    "of %s shows an example that runs as it stands",
    {
      timeout: 60_000,
    },
    async (name) => {
      const readme = readFileSync(`${root}packages/${name}/README.md`, "utf8");
      const example = /```ts\n(.*?)```/su.exec(readme)?.[1] ?? "";
      const folder = mkdtempSync(join(tmpdir(), "haft-readme-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--input-type=module-typescript", "--eval", example],
        {
          cwd: `${root}packages/${name}`,
          env: { ...process.env, TMPDIR: folder, HAFT_HOME: folder },
        },
      );
      expect(stdout).not.toBe("");
    },
  );

  it.each([
    "README.md",
    ...packages.map((name) => `packages/${name}/README.md`),
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/guides/agents.md",
    "docs/guides/console.md",
    "docs/guides/dialects.md",
    "docs/guides/files.md",
    "docs/guides/haft-agent.md",
    "docs/guides/hooks.md",
    "docs/guides/mcp.md",
    "docs/guides/modules.md",
    "docs/guides/observability.md",
    "docs/guides/platform.md",
    "docs/guides/programs.md",
    "docs/guides/safety.md",
    "docs/reference/specifications.md",
  ])("has only links in %s that lead somewhere", (file) => {
    const text = readFileSync(`${root}${file}`, "utf8");
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/gu)].map(([, to]) => to as string);
    for (const target of targets) {
      expect(() => readFileSync(join(root, dirname(file), target)), target).not.toThrow(/ENOENT/u);
    }
  });
});

describe("docs/reference/errors.md", () => {
  // Written by `vitest --update`; here it is held against the table both ways.
  it("says what the error table says", async () => {
    const rows = Object.entries(errorCodes).map(
      ([code, { meaning, retry, httpStatus, exitCode, mcp, acp }]) =>
        `| \`${code}\` | ${meaning} | ${retry} | ${exitCode} | ${httpStatus} | ${mcp} | ${acp} |`,
    );
    const page = `# Error codes

Every call that ends without output carries one of these in \`metadata.error_code\`. The \`haft\`
command exits with the code's own number; 0 is output.

*Retry*: whether trying again can help: \`never\`, \`later\` as it is, or only \`changed\`.
*MCP*: an \`isError\` result that the model reads, or a protocol error with this number.

| code | meaning | retry | exit | HTTP | MCP | ACP |
|---|---|---|---|---|---|---|
${rows.join("\n")}
`;
    await expect(page).toMatchFileSnapshot("../docs/reference/errors.md");
  });
});
