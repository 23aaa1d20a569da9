import { foldPath } from "./fold-path.ts";

/**
 * Tells whether changing a path could make something else run code or lift a limit: git's hooks and
 * configuration, shell start-up files, our own rules and settings.
 */
export function isProtectedPath(path: string): boolean {
  return protectedPlace.test(foldPath(path));
}

const protectedPlace = new RegExp(
  [
    // `.git` itself: as a file it can point git at any directory.
    String.raw`/\.git$`,
    // Anywhere below: submodules and worktrees keep theirs in `.git/modules` and `.git/worktrees`.
    String.raw`/\.git/(?:.*/)?(?:hooks|config|config\.worktree|commondir)(?:/|$)`,
    String.raw`/\.gitconfig$|/\.config/git/config$`,
    String.raw`/\.haft/(?:rules|settings[^/]*)(?:/|$)`,
    String.raw`/\.(?:amp|claude)/settings[^/]*(?:/|$)`,
    String.raw`/\.mcp\.json$`,
    String.raw`/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile)$`,
    String.raw`/\.(?:zshrc|zshenv|zprofile|zlogin|zlogout)$`,
    String.raw`/\.(?:kshrc|mkshrc|cshrc|tcshrc|login|logout)$`,
    String.raw`/\.(?:xprofile|xinitrc|xsession|xsessionrc|pam_environment)$`,
    String.raw`/fish/(?:config\.fish|conf\.d(?:/|$))`,
    String.raw`^/etc/(?:profile|profile\.d|bash\.bashrc|bashrc|zsh|zshrc|zshenv|zprofile|environment)(?:/|$)`,
    String.raw`/\.ssh(?:/|$)`,
  ].join("|"),
  "u",
);
