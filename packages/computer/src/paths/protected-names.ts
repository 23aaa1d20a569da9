/**
 * Why a path is protected: it decides what git runs, what Haft allows, what another program runs or
 * allows in this directory, or what a shell or the user's git runs from the home directory.
 */
export type Protection = "git" | "rules" | "settings" | "home";

/** Agents and editors whose project settings can run programs or lift limits. */
const agents =
  "agents|amazonq|amp|augment|claude|codex|continue|copilot|cursor|factory|gemini|junie|kilocode|kiro|qwen|roo|trae|vscode|windsurf";

/**
 * The table of protected names: regular expressions over folded paths, without flags, lookarounds
 * and classes of letters, so that they can be used in a Seatbelt profile as well.
 */
export const protectedNames: Readonly<Record<Protection, readonly string[]>> = {
  git: [
    // `.git` itself: as a file it can point git at any directory.
    String.raw`/\.git$`,
    // Anywhere below: submodules and worktrees keep theirs in `.git/modules` and `.git/worktrees`.
    String.raw`/\.git/(?:.*/)?(?:hooks|config|config\.worktree|commondir)(?:/|$)`,
    String.raw`/\.husky(?:/|$)`,
  ],

  rules: [
    String.raw`/\.haft/(?:rules|settings[^/]*)(?:/|$)`,
    // A person's own settings, agents and scripts, which need no trust.
    String.raw`/\.config/haft(?:/|$)`,
  ],

  // Commands, agents, skills and rules in prose are left out: they are prompts that a person or a
  // model calls by name.
  settings: [
    String.raw`/\.(?:${agents})/(?:settings[^/]*|hooks|\.env)(?:/|$)`,
    String.raw`/\.(?:${agents})/(?:config|hooks|permissions|sandbox|environment|cli|requirements)[^/]*\.(?:jsonc?|toml|ya?ml|(?:c|m)?(?:j|t)s)$`,
    String.raw`/\.(?:gemini|qwen)/(?:extensions|policies)(?:/|$)`,
    String.raw`/\.codex/rules(?:/|$)|/\.continue/mcpservers(?:/|$)`,
    String.raw`/\.amazonq/cli-agents(?:/|$)|/\.kiro/agents(?:/|$)|/\.github/hooks(?:/|$)`,
    // MCP servers of any client: each is a program that is started.
    String.raw`/\.mcp\.json$`,
    String.raw`/\.[^/]+/(?:[^/]+/)?mcp(?:[._-](?:config|servers|settings))?\.jsonc?$`,
    String.raw`/\.vscode/(?:tasks|launch)\.json$|\.code-workspace$`,
    String.raw`/\.opencode(?:/|$)|/\.?opencode\.jsonc?$|/\.?crush\.json$`,
    String.raw`/\.(?:zed|devcontainer)(?:/|$)|/\.devcontainer\.json$`,
    String.raw`/\.idea/(?:workspace\.xml|startup\.xml|watchertasks\.xml|runconfigurations)(?:/|$)`,
    // Other version control systems, whose settings run programs as git's do.
    String.raw`/\.hg/hgrc[^/]*$|/\.jj/(?:repo/)?(?:config\.toml|workspace-config\.toml)$`,
    String.raw`/\.envrc$|/\.aider\.conf\.ya?ml$|/\.claude\.json$`,
  ],

  home: [
    String.raw`/\.gitconfig$|/\.config/git/config$`,
    String.raw`/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile)$`,
    String.raw`/\.(?:zshrc|zshenv|zprofile|zlogin|zlogout)$`,
    String.raw`/\.(?:kshrc|mkshrc|cshrc|tcshrc|login|logout)$`,
    String.raw`/\.(?:xprofile|xinitrc|xsession|xsessionrc|pam_environment)$`,
    String.raw`/fish/(?:config\.fish|conf\.d(?:/|$))`,
    String.raw`^/etc/(?:profile|profile\.d|bash\.bashrc|bashrc|zsh|zshrc|zshenv|zprofile|environment)(?:/|$)`,
    String.raw`/\.ssh(?:/|$)`,
  ],
};

/** Names, without the dot, of directories that hold rules or settings. */
export const settingsDirectories: string = `haft|${agents}|github|idea|husky|opencode|zed|devcontainer`;
