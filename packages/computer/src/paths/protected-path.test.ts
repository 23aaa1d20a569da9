import { describe, expect, it } from "vitest";
import { isProtectedPath } from "./protected-path.ts";

describe("isProtectedPath", () => {
  it.each([
    "/w/.git",
    "/w/.git/config",
    "/w/.git/hooks",
    "/w/.git/hooks/pre-commit",
    "/w/.git/config.worktree",
    "/w/.git/commondir",
    "/w/.git/modules/sub/config",
    "/w/.git/modules/deep/sub/hooks/post-checkout",
    "/w/.git/worktrees/one/config.worktree",
    "/w/.GIT/Config",
    "/w/.g\u200cit/config",
    "/w/\uFF0Egit/config",
    "/w/.haft/rules",
    "/w/.haft/settings.json",
    "/w/.haft/settings.local.json",
    "/w/.mcp.json",
    "/home/u/.bashrc",
    "/home/u/.bash_profile",
    "/home/u/.profile",
    "/home/u/.zshrc",
    "/home/u/.zshenv",
    "/home/u/.ZPROFILE",
    "/home/u/.gitconfig",
    "/home/u/.config/git/config",
    "/home/u/.config/fish/config.fish",
    "/home/u/.config/fish/conf.d/x.fish",
    "/home/u/.ssh/authorized_keys",
    "/etc/profile.d/x.sh",
  ])("knows %s", (path) => {
    expect(isProtectedPath(path)).toBe(true);
  });

  it.each([
    "/w/.gitignore",
    "/w/.gitmodules",
    "/w/.github/workflows/x.yml",
    "/w/.git/HEAD",
    "/w/config",
    "/w/src/hooks/use-state.ts",
    "/w/git/hooks/x",
    "/w/.haft/skills/x.md",
    "/w/.haft/rules.md.txt",
    "/w/bashrc",
    "/w/docs/profile",
    "/w/mcp.json",
    "/w/.vscode/settings.json",
  ])("lets %s be changed", (path) => {
    expect(isProtectedPath(path)).toBe(false);
  });
});
