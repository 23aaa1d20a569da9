import { describe, expect, it } from "vitest";
import { makeCommandCall } from "../../test-support/watchdog-call.ts";
import { CallFacts } from "../reading/call-facts.ts";
import type { WatchdogVerdict } from "../watchdog.ts";
import { historyRewriting } from "./history-rewriting.ts";

const judge = (line: string): WatchdogVerdict | undefined =>
  historyRewriting(new CallFacts(makeCommandCall(line)));

describe("the rule on history", () => {
  it.each([
    "git push --force",
    "git push -f origin main",
    "git push -uf origin x",
    "git push --force-with-lease",
    "git push --force-with-lease=x:y",
    "git push --mirror",
    "git push origin +main",
    "git push origin :old",
    "git push -d origin old",
    "git reset --hard",
    "git filter-branch x",
    "git filter-repo --path x",
    "git rebase --root",
    "git reflog expire --all",
    "git gc --prune=now",
    "git update-ref -d refs/heads/x",
    "git branch -D x",
    "git branch --delete --force x",
    "git stash drop",
    "git stash clear",
    "git checkout -- .",
    "git checkout .",
    "git checkout -f main",
    "git restore .",
    "git switch --discard-changes x",
    "git worktree remove --force x",
    "bfg --strip-blobs",
  ])("asks about %s", (line) => {
    expect(judge(line)).toEqual({ action: "ask", reason: expect.any(String) });
  });

  it.each([
    "git push",
    "git push origin main",
    "git push -u origin x",
    "git push --tags",
    "git push --follow-tags",
    "git reset HEAD~1",
    "git rebase main",
    "git rebase -i HEAD~2",
    "git commit --amend",
    "git branch -d x",
    "git stash",
    "git stash pop",
    "git checkout main",
    "git checkout -- src/a.ts",
    "git checkout -b force",
    "git restore --staged .",
    "git restore src/a.ts",
    "git reflog",
    "git gc",
    "hg push --force",
    'git commit -m "git push --force"',
  ])("has nothing to say about %s", (line) => {
    expect(judge(line)).toBeUndefined();
  });
});
