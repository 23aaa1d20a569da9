import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { declareAudit } from "../declarations/audit.ts";
import { declareOrg } from "../declarations/org.ts";
import { declareRole } from "../declarations/role.ts";
import { openLocalPlatform } from "../environments/local-platform.ts";
import { runCommand } from "../test-support/run-command.ts";
import { createTestWorkspace } from "../test-support/run-haft.ts";

it("exports and verifies the trail of a store, and finds a line that somebody changed", async () => {
  const { directory, state } = createTestWorkspace();
  const data = join(directory, "data");
  const environment = { HAFT_HOME: state, HOME: directory, HAFT_DATA: data };
  const run = (declare: typeof declareAudit, ...args: readonly string[]) =>
    runCommand(declare(openLocalPlatform), args, { directory, environment });
  await run(declareOrg, "create", "acme");
  await run(declareRole, "create", "caller", "--permission", "Tool:InvokeTool");
  const exported = await run(declareAudit, "export");
  const lines = exported.stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { number: 1, action: "organization.create", previous_hash: null },
    { number: 2, action: "role.create", previous_hash: JSON.parse(lines[0] as string).hash },
  ]);
  const verified = await run(declareAudit, "verify", "--json");
  const { last, ...found } = JSON.parse(verified.stdout);
  expect({ ...found, exitCode: verified.exitCode }).toEqual({
    ...{ intact: true, lines: 2, unchained: 0, anchors: 1, problems: [], exitCode: 0 },
  });

  writeFileSync(join(directory, "kept.jsonl"), `${JSON.stringify(last)}\n`);
  writeFileSync(join(directory, "trail.jsonl"), `${lines[0]}\n`);
  const cut = await run(declareAudit, "verify", "trail.jsonl", "--anchors", "kept.jsonl");
  expect(cut).toMatchObject({ exitCode: 1 });
  expect(cut.stdout).toContain("Line 2 is missing. The anchor of");
  const alone = await run(declareAudit, "verify", "trail.jsonl");
  expect(alone.stdout).toContain("1 lines, 0 anchors: intact");

  const database = new DatabaseSync(join(data, "haft.db"));
  database.exec(`update audit set detail = '{"name":"other"}' where number = 2`);
  database.close();
  const changed = await run(declareAudit, "verify");
  expect(changed.stdout).toContain("Line 2 was changed: its hash does not match.");
  expect(changed.stdout).toContain("NOT intact");
  expect(changed.exitCode).toBe(1);
});
