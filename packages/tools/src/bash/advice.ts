import type { CommandResult } from "@haft/contract";

/** Returns advice about how a command ended, or `undefined` if it ended normally. */
export function toAdvice(command: string, result: CommandResult): string | undefined {
  const { jobId, waitedAt, leftRunning, refusedHosts } = result;
  const sentences: string[] = [];
  if (jobId !== undefined) {
    sentences.push(
      `The command reached its time limit and continues in the background as ${jobId}. You are notified when it ends.`,
      "`job_output` shows its output and can wait for it. `job_stop` stops it.",
      ...(result.changes === undefined
        ? []
        : [
            "Files that it writes are not visible in the workspace until it ends; they are discarded if the session ends first.",
          ]),
    );
  }
  if (waitedAt !== undefined) sentences.push(adviseOnPrompt(waitedAt, command));
  if (leftRunning.length > 0) {
    sentences.push(
      "Processes that were still running have been stopped. Wait for processes in the command. Use `job_start` for those that should keep running.",
    );
  }
  if (refusedHosts.length > 0) {
    const options = refusedHosts.map((host) => `--allow-host ${host}`).join(" ");
    sentences.push(
      `The command can reach only hosts that a person allowed beforehand, with the option ${options}.`,
      "`web_fetch` can reach public hosts. So can `repo_clone`.",
    );
  }
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

/** Explains how to run a command without the prompt at which it waited. */
export function adviseOnPrompt(prompt: string, command: string): string {
  const known = advice.find(
    ({ prompts, programs }) =>
      (prompts?.test(prompt) ?? true) && (programs === undefined || programs.test(command)),
  );
  return known?.text ?? defaultAdvice;
}

interface Advice {
  /** Matches the prompt. Default: any prompt. */
  readonly prompts?: RegExp;
  /** Matches the command. Default: any command. */
  readonly programs?: RegExp;
  readonly text: string;
}

const defaultAdvice =
  "Prompts can't be answered here. Give the answer as an option or in a file, or pipe it in: printf 'answer\\n' | command.";

// The first match is used, so the more specific entries come first.
const advice: readonly Advice[] = [
  {
    prompts: /\[sudo\]|password for .*sudo/iu,
    text: "A password can't be typed here. Work without sudo, or ask the person to run the command.",
  },
  {
    prompts: /yes\/no(?:\/\[fingerprint\])?\)/iu,
    programs: /\b(?:ssh|scp|sftp|rsync|git)\b/u,
    text: "The host key is not known here. Ask the person to accept it first; git can use an https address instead.",
  },
  {
    prompts: /(?:username|password|passphrase|token|pin|otp|verification code)\b[^\n]*[:?]\s*$/iu,
    programs: /\bgit\b/u,
    text: "Logging in is not possible here. Use a repository that needs no credentials, or ask the person to run the command; GIT_TERMINAL_PROMPT=0 makes git fail at once.",
  },
  {
    prompts: /(?:username|login|password|passphrase|token|otp|verification code)\b[^\n]*[:?]\s*$/iu,
    text: "Logging in is not possible here, and secrets don't belong on a command line. Use a way that needs no credentials, or ask the person to run the command.",
  },
  {
    prompts: /stage (?:this|deletion|addition)|\[y,n,q,a,d/iu,
    programs: /\bgit\b/u,
    text: "Choose whole files instead: git add FILE, git checkout -- FILE, git stash push FILE.",
  },
  {
    prompts: /waiting for your editor|commit message|\bvim?\b|\bnano\b|~\s*$/iu,
    programs: /\bgit\b/u,
    text: "Give the message as an option (git commit -m TEXT, git merge --no-edit, git commit --amend --no-edit), or skip the editor: GIT_EDITOR=true git rebase --continue; GIT_SEQUENCE_EDITOR=true git rebase -i.",
  },
  {
    programs: /(?:^|[\s;&|])(?:vim?|nvim|nano|emacs|pico|ed|ex)\s/u,
    text: "There is no editor here. Change files with sed -i. Better, use `edit` or `write`.",
  },
  {
    prompts: /\(END\)|--More--|^:\s*$|lines \d+-\d+/u,
    text: "There is no pager here. Append | cat, or use the option --no-pager; for git set GIT_PAGER=cat.",
  },
  {
    prompts: /^(?:>>>|\.\.\.|In \[\d+\]:)\s*$/u,
    text: "There is no interactive Python here. Use python3 -c CODE, or write a script and run it.",
  },
  {
    prompts: /^(?:>|irb.*>|node>|deno>|php >|iex.*>|scala>|ghci>)\s*$/u,
    text: "There is no interactive session here. Give the code as an option such as -e or -c, or as a script.",
  },
  {
    programs: /\b(?:psql|mysql|mariadb|sqlite3|mongosh|redis-cli)\b/u,
    text: "There is no interactive database session here. Give the statement as an option (psql -c, mysql -e, sqlite3 FILE SQL), or pipe it in.",
  },
  {
    programs: /\b(?:apt|apt-get|dnf|yum|zypper|apk|pacman)\b/u,
    text: "Add the option that confirms (apt-get -y, dnf -y, zypper -n, pacman --noconfirm); for apt also set DEBIAN_FRONTEND=noninteractive.",
  },
  {
    programs: /\bnpm\s+(?:init|create)\b|\b(?:npx|pnpm\s+(?:dlx|create)|yarn\s+create|bunx?)\b/u,
    text: "Add --yes (npm init -y, npx --yes), and pass the answers to the generator as options, such as a name and --template.",
  },
  {
    programs: /\bpip3?\b|\bconda\b/u,
    text: "Add the option that confirms: pip uninstall -y, pip install --no-input, conda -y.",
  },
  {
    programs: /\b(?:terraform|tofu|pulumi)\b/u,
    text: "Give values as options (-var, -input=false), and confirm beforehand with -auto-approve or --yes if the person wants that.",
  },
  {
    prompts: /overwrite|replace|remove|delete|\brm:|\bcp:|\bmv:/iu,
    programs: /(?:^|[\s;&|])(?:rm|cp|mv|unzip|7z|gzip|ln)\s/u,
    text: "Use the option that skips the question: -f for rm, cp, mv, ln and gzip, -o or -n for unzip, -y for 7z.",
  },
  {
    prompts: /[[(]\s*y(?:es)?\s*[/|,]\s*no?\b|\by\/n\b|\(y\)|proceed\?|continue\?|are you sure/iu,
    text: "Use the program's option that confirms (-y, --yes, --force, --no-input), or pipe the answer in: printf 'y\\n' | command.",
  },
  {
    prompts: /press (?:any key|enter|return)|hit (?:enter|return)/iu,
    text: "Pipe a line break in (printf '\\n' | command), or use the program's option for scripts.",
  },
];
