import type { Command, CommandTable } from "../command.ts";

/** Declares `haft completions` for these commands. */
export function declareCompletions(commands: CommandTable): Command {
  return {
    details: `
The script completes commands, subcommands, options, fixed values and file names. To install it:

  bash  haft completions bash > ~/.local/share/bash-completion/completions/haft
        (needs the package bash-completion; without it, add to ~/.bashrc:
        source <(haft completions bash))
  zsh   haft completions zsh > ~/.zfunc/_haft
        and in ~/.zshrc, before compinit: fpath=(~/.zfunc $fpath)
  fish  haft completions fish > ~/.config/fish/completions/haft.fish

Start a new shell afterwards. Run it again after an update of Haft.`,
    arguments: [
      { name: "SHELL", description: "bash, zsh or fish", suggestions: ["bash", "zsh", "fish"] },
    ],
    examples: ["haft completions bash", "source <(haft completions bash)"],
    load: async () => (await import("../commands/completions.ts")).printCompletions(commands),
  };
}
