import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { fileRulesOf } from "../test-support/file-rules.ts";
import { openProgramBench } from "../test-support/start-program.ts";
import type { SandboxMode } from "./confine-run.ts";

const modes: SandboxMode[] = isMissing("bwrap") ? ["off"] : ["off", "required"];

describe.each(modes)("rules of open sessions, sandbox %s", (sandbox) => {
  it("hold for programs that no call starts, as far as there is a sandbox", async () => {
    const { start, computer, root } = openProgramBench({ "private/x": "CLOSED" }, { sandbox });
    const peek = { argv: ["bash", "-c", "cat private/x; echo >new"] } as const;
    const release = computer.followRules?.(() =>
      fileRulesOf(root, "fs.read private/** deny", "fs.write ** deny"),
    );
    const closed = await start(peek);
    await closed.ended;
    expect([closed.text(), existsSync(join(root, "new"))]).toEqual(
      sandbox === "off" ? ["CLOSED", true] : ["", false],
    );
    expect(closed.warning !== undefined).toBe(sandbox === "off");
    release?.();
    const open = await start(peek);
    await open.ended;
    expect(open.text()).toBe("CLOSED");
  });
});
