import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { createRegistry, createSession, type Session, type SessionOptions } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { onTestFinished } from "vitest";

/** A session with the built-in tools on a workspace of its own. */
export interface TestAgent {
  readonly session: Session;
  readonly workspace: string;
  /** What a file of the workspace contains. */
  content(name: string): string;
}

/** One red pixel. */
export const pixel: string =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** Opens one with `a.txt` (two lines), `b.txt` and `dot.png`. Default: every call is allowed. Removed after the test. */
export function openAgent(options: Partial<SessionOptions> = {}): TestAgent {
  const base = mkdtempSync(join(tmpdir(), "haft-formats-"));
  const workspace = join(base, "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "a.txt"), "alpha\nbeta\n");
  writeFileSync(join(workspace, "b.txt"), "gamma\n");
  writeFileSync(join(workspace, "dot.png"), Buffer.from(pixel, "base64"));
  const computer = createDiskComputer({
    workspace,
    stateDirectory: join(base, "state"),
    sandbox: "off",
  });
  const session = createSession({
    registry: createRegistry(builtinTools),
    computer,
    rules: [{ permission: "*", pattern: "**", action: "allow" }],
    ...options,
  });
  onTestFinished(async () => {
    await session.close();
    rmSync(base, { recursive: true, force: true });
  });
  return {
    session,
    workspace,
    content: (name) => readFileSync(join(workspace, name), "utf8"),
  };
}
