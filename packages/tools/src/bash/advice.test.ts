import { describe, expect, it } from "vitest";
import { adviseOnPrompt } from "./advice.ts";

describe("adviseOnPrompt", () => {
  it.each([
    ["[sudo] password for me:", "sudo make install", /without sudo/u],
    ["Username for 'https://github.com':", "git push", /GIT_TERMINAL_PROMPT=0/u],
    ["Enter passphrase for key '/home/me/.ssh/id':", "ssh host", /ask the person/u],
    [
      "Are you sure you want to continue connecting (yes/no/[fingerprint])?",
      "git fetch",
      /host key is not known/u,
    ],
    ["hint: Waiting for your editor to close the file...", "git commit", /-m TEXT/u],
    ["(1/1) Stage this hunk [y,n,q,a,d,e,?]?", "git add -p", /git add FILE/u],
    ["(END)", "git log", /--no-pager/u],
    [":", "git log", /--no-pager/u],
    [">>>", "python3", /python3 -c/u],
    [">", "node", /-e or -c/u],
    ["Do you want to continue? [Y/n]", "apt-get install x", /DEBIAN_FRONTEND/u],
    ["Ok to proceed? (y)", "npx create-thing", /--yes/u],
    ["package name: (x)", "npm init", /npm init -y/u],
    ["Proceed (Y/n)?", "pip uninstall x", /pip uninstall -y/u],
    ["Enter a value:", "terraform apply", /-auto-approve/u],
    ["rm: remove regular file 'a'?", "rm -i a", /-f for rm/u],
    ["replace a.txt? [y]es, [n]o, [A]ll:", "unzip a.zip", /-n for unzip/u],
    ["Really delete everything? (yes/no)", "./tool", /--yes/u],
    ["Press any key to continue . . .", "./tool", /line break/u],
    ["Your name:", "./tool", /printf 'answer/u],
    ["", "cat", /printf 'answer/u],
  ])("at %j of %j gives its advice", (prompt, command, advice) => {
    expect(adviseOnPrompt(prompt, command)).toMatch(advice);
  });
});
