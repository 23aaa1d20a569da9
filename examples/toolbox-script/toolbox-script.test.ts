import { join } from "node:path";
import { expect, it } from "vitest";
import { makeWorkspace } from "../support/make-workspace.ts";
import { runHaft } from "../support/run-node.ts";

const toolbox = join(import.meta.dirname, "toolbox");

it("counts what the files say", async () => {
  const workspace = makeWorkspace({
    "notes/a.txt": "TODO: water\nTODO: feed\n",
    "notes/b.txt": "done\n",
  });
  const environment = { HAFT_TOOLBOX: toolbox, HAFT_HOME: workspace.state };
  const where = ["-C", workspace.directory];

  const listed = await runHaft(["toolbox", "list", ...where], environment);
  expect(listed.stdout).toContain("tb__todo_count");

  const call = ["call", "tb__todo_count", "directory=notes", "--yes", ...where];
  const called = await runHaft(call, environment);
  expect(called.stdout.trim()).toBe("2");

  const wrong = runHaft(
    ["call", "tb__todo_count", "directory=nowhere", "--yes", ...where],
    environment,
  );
  await expect(wrong).rejects.toThrow("There is no directory nowhere.");
});
