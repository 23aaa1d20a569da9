import { describe, expect, it } from "vitest";
import { makeCommandCall } from "../../test-support/watchdog-call.ts";
import { CallFacts } from "../reading/call-facts.ts";
import type { WatchdogVerdict } from "../watchdog.ts";
import { persistence } from "./persistence.ts";

const judge = (line: string): WatchdogVerdict | undefined =>
  persistence(new CallFacts(makeCommandCall(line)));

describe("the rule on what stays", () => {
  it.each([
    "crontab jobs",
    "crontab -e",
    "at now",
    "systemctl enable x",
    "launchctl load x",
    "ssh-copy-id host",
    "loginctl enable-linger me",
    "echo x > /home/me/.bashrc",
    "tee -a /home/me/.profile",
    "cp x /etc/cron.d/y",
    "sed -i s/a/b/ /etc/profile",
    "cp key /home/me/.ssh/authorized_keys",
    "ln -s x .git/hooks/pre-commit",
  ])("asks about %s", (line) => {
    expect(judge(line)).toEqual({ action: "ask", reason: expect.any(String) });
  });

  it.each([
    "crontab -l",
    "systemctl status x",
    "systemctl daemon-reload",
    "cat /home/me/.bashrc",
    "cp .bashrc.example x",
    "sed s/a/b/ /etc/profile",
    "echo x > out.txt",
    "launchctl list",
    "at -l",
  ])("has nothing to say about %s", (line) => {
    expect(judge(line)).toBeUndefined();
  });
});
