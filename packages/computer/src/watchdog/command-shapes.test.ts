import { createWatchdog, type WatchdogVerdict } from "@haft/core";
import { createSecrets } from "@haft/core/internal";
import { beforeAll, describe, expect, it } from "vitest";
import {
  askedCommands,
  ordinaryCommands,
  refusedCommands,
} from "../../../../test/commands/command-shapes.ts";
import { createCommandReader } from "../commands/command-reader.ts";
import { isSecretPath } from "../paths/secret-path.ts";

const place = { roots: ["/w"], home: "/home/u" };
const reader = createCommandReader(place);
const watchdog = createWatchdog();
const secrets = createSecrets({});

function judge(command: string): WatchdogVerdict | Promise<WatchdogVerdict> {
  const reading = reader.read(command, "/w");
  return watchdog({
    ...place,
    session: "s",
    callId: "c",
    tool: "bash",
    kind: "execute",
    startedAt: 0,
    arguments: { command },
    manifest: {},
    subjects: [{ type: "command", key: command, mode: "write", tree: false, cwd: "/w", reading }],
    command: reading,
    secrets: secrets.namesIn(command),
    earlier: [],
    identity: "",
    isSecret: isSecretPath,
  });
}

beforeAll(() => reader.prepare());

describe("Haft's own watchdog, on command lines", () => {
  it.each(refusedCommands)("refuses %s", (command) => {
    expect(judge(command)).toMatchObject({ action: "deny", reason: expect.any(String) });
  });

  it.each(askedCommands)("asks a person about %s", (command) => {
    expect(judge(command)).toMatchObject({ action: "ask", reason: expect.any(String) });
  });

  it.each(ordinaryCommands)("lets pass %s", (command) => {
    expect(judge(command)).toEqual({ action: "allow" });
  });
});
