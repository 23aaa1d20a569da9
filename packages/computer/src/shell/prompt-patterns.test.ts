import { describe, expect, it } from "vitest";
import { looksLikePrompt } from "./prompt-patterns.ts";

describe("looksLikePrompt", () => {
  it.each([
    "Password: ",
    "[sudo] password for me: ",
    "me@host's password:",
    "Enter passphrase for key '/home/me/.ssh/id_ed25519': ",
    "Username for 'https://example.com': ",
    "host login: ",
    "Enter your API token: ",
    "Do you want to continue? [Y/n] ",
    "Are you sure you want to continue connecting (yes/no/[fingerprint])? ",
    "Is this OK? (yes) ",
    "Overwrite /tmp/x? ",
    "rm: remove regular file 'x'? (y/n)",
    "Proceed ([y]/n)? ",
    "Press any key to continue . . . ",
    "Press ENTER or type command to continue",
    "Hit RETURN!",
    "--More--(12%)",
    "(END)",
    "Select an option: ",
    "Please enter a value: ",
    "#? ",
    "? Which template would you like? ›",
    ">>> ",
    "... ",
    "(Pdb) ",
    "(gdb) ",
    "mysql> ",
    "postgres=# ",
    "sqlite> ",
    "irb(main):001:0> ",
    "\u001b[32mContinue?\u001b[0m \u001b[2m(y/N)\u001b[0m ",
  ])("recognizes %j as a prompt", (line) => {
    expect(looksLikePrompt(line)).toBe(true);
  });

  it.each([
    "",
    "   ",
    "Compiling core v1.2.3",
    "Downloading: 45%",
    "Listening on http://localhost:3000",
    "added 12 packages in 3s",
    "warning: password is deprecated",
    "Error: what happened?",
    "[12/340] Linking",
    "Enter the dungeon",
    "Waiting for the server to continue",
    "tests/login: ok",
    "10:15:02 INFO  started",
  ])("does not recognize %j as a prompt", (line) => {
    expect(looksLikePrompt(line)).toBe(false);
  });
});
