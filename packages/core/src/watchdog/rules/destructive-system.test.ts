import { describe, expect, it } from "vitest";
import { makeCommandCall } from "../../test-support/watchdog-call.ts";
import { CallFacts } from "../reading/call-facts.ts";
import type { WatchdogVerdict } from "../watchdog.ts";
import { destructiveSystem } from "./destructive-system.ts";

const judge = (line: string): WatchdogVerdict | undefined =>
  destructiveSystem(new CallFacts(makeCommandCall(line)));

describe("the rule on the machine", () => {
  it.each([
    "mkfs.ext4 /dev/sda1",
    "wipefs -a /dev/sdb",
    "dd if=x of=/dev/nvme0n1",
    "echo x > /dev/sda",
    "tee /dev/vda",
    "chmod -R 777 /",
    "chown -R me /etc",
    "bomb() { bomb|bomb& }",
    "shutdown -h now",
    "reboot",
    "init 0",
    "systemctl poweroff",
    "kill -9 -1",
    "kill -1",
    "kill -s KILL -1",
  ])("refuses %s", (line) => {
    expect(judge(line)).toEqual({ action: "deny", reason: expect.any(String) });
  });

  it.each(["chmod -R u+w $DIR"])("asks about %s", (line) => {
    expect(judge(line)).toEqual({ action: "ask", reason: expect.any(String) });
  });

  it.each([
    "dd if=/dev/zero of=disk.img",
    "dd if=a of=/dev/null",
    "echo x > /dev/null",
    "chmod -R u+w dist",
    "chmod 644 /w/a",
    "chown -R me /w",
    "systemctl restart x",
    "kill 1234",
    "kill -9 1234",
    "kill -9 -1234",
    "init",
  ])("has nothing to say about %s", (line) => {
    expect(judge(line)).toBeUndefined();
  });
});
