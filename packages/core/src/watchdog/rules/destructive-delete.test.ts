import { describe, expect, it } from "vitest";
import { makeCommandCall } from "../../test-support/watchdog-call.ts";
import { CallFacts } from "../reading/call-facts.ts";
import type { WatchdogVerdict } from "../watchdog.ts";
import { destructiveDelete } from "./destructive-delete.ts";

const judge = (line: string): WatchdogVerdict | undefined =>
  destructiveDelete(new CallFacts(makeCommandCall(line)));

describe("the rule on deleting", () => {
  it.each([
    "rm -rf /",
    "rm -fr ~",
    "rm -r -f ..",
    "rm --recursive --force /etc",
    "rm -rf /w/..",
    "rm -rf /w-evil",
    'rm -rf "$HOME"',
    "/bin/rm -Rf /usr",
    "find / -delete",
    "find ~ -name x -exec rm {} +",
    "rsync -a --delete empty/ /home/me",
    "rimraf /home/me/x",
    "npx --yes rimraf /",
    "python3 -c \"import shutil; shutil.rmtree('/opt')\"",
  ])("refuses %s", (line) => {
    expect(judge(line)).toEqual({ action: "deny", reason: expect.any(String) });
  });

  it.each([
    "rm -rf .",
    "rm -rf /w",
    "rm -rf .git",
    "rm -rf .git/objects",
    "rm -rf $DIR",
    "rm -rf *",
    "find . -delete",
    "git clean -fdx",
    "git clean --force -d",
    "rm /etc/hosts",
    "shred -u /home/me/x",
    "rsync --delete a/ host:/srv",
  ])("asks about %s", (line) => {
    expect(judge(line)).toEqual({ action: "ask", reason: expect.any(String) });
  });

  it.each([
    "rm -rf node_modules dist",
    "rm -rf ./build",
    "rm -rf /w/dist",
    "rm -rf dist/*",
    "rm -rf *.log",
    "rm a.txt",
    "rm .git/index.lock",
    "rm -rf -- dist",
    "rm -rf /tmp/x",
    "find . -name x -delete",
    "find src -name x -exec rm -rf {} +",
    "git clean -n",
    "git clean -fd dist",
    "git clean -fdn",
    "rsync -a --delete src/ dist/",
    "rsync -a --delete -n a/ /home/me",
    "npx rimraf dist",
    "python3 -c \"print('/opt')\"",
    "ls /",
  ])("has nothing to say about %s", (line) => {
    expect(judge(line)).toBeUndefined();
  });
});
