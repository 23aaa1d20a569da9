/** How to do without a person what a command asked one for. */
export function adviseOnPrompt(prompt: string, command: string): string {
  const known = advice.find(
    ({ prompts, programs }) =>
      (prompts?.test(prompt) ?? true) && (programs === undefined || programs.test(command)),
  );
  return known?.says ?? otherwise;
}

interface Advice {
  /** What the prompt looks like; any unless said. */
  readonly prompts?: RegExp;
  /** What the command has in it; any unless said. */
  readonly programs?: RegExp;
  readonly says: string;
}

const otherwise =
  "Nobody can answer here. Give the answer as an option or in a file, or pipe it in: printf 'answer\\n' | command.";

// The first that fits is taken, so the more particular go first.
const advice: readonly Advice[] = [
  {
    prompts: /\[sudo\]|password for .*sudo/iu,
    says: "Nobody can type a password here. Do it without sudo, or ask the person to do it.",
  },
  {
    prompts: /yes\/no(?:\/\[fingerprint\])?\)/iu,
    programs: /\b(?:ssh|scp|sftp|rsync|git)\b/u,
    says: "The other host's key is not known here. Ask the person to accept it first; git can use an https address instead.",
  },
  {
    prompts: /(?:username|password|passphrase|token|pin|otp|verification code)\b[^\n]*[:?]\s*$/iu,
    programs: /\bgit\b/u,
    says: "Nobody can log in here. Use a repository that needs no credentials, or ask the person to do it; GIT_TERMINAL_PROMPT=0 makes git fail at once.",
  },
  {
    prompts: /(?:username|login|password|passphrase|token|otp|verification code)\b[^\n]*[:?]\s*$/iu,
    says: "Nobody can log in here, and secrets don't belong on a command line. Use what needs no credentials, or ask the person to do it.",
  },
  {
    prompts: /stage (?:this|deletion|addition)|\[y,n,q,a,d/iu,
    programs: /\bgit\b/u,
    says: "Choose whole files instead: git add FILE, git checkout -- FILE, git stash push FILE.",
  },
  {
    prompts: /waiting for your editor|commit message|\bvim?\b|\bnano\b|~\s*$/iu,
    programs: /\bgit\b/u,
    says: "Give the message as an option (git commit -m TEXT, git merge --no-edit, git commit --amend --no-edit), or let nothing be edited: GIT_EDITOR=true git rebase --continue; GIT_SEQUENCE_EDITOR=true git rebase -i.",
  },
  {
    programs: /(?:^|[\s;&|])(?:vim?|nvim|nano|emacs|pico|ed|ex)\s/u,
    says: "There is no editor here. Change files with edit or write, or with sed -i.",
  },
  {
    prompts: /\(END\)|--More--|^:\s*$|lines \d+-\d+/u,
    says: "There is no pager here. Append | cat, or use the option --no-pager; for git set GIT_PAGER=cat.",
  },
  {
    prompts: /^(?:>>>|\.\.\.|In \[\d+\]:)\s*$/u,
    says: "There is no interactive Python here. Use python3 -c CODE, or write a script and run it.",
  },
  {
    prompts: /^(?:>|irb.*>|node>|deno>|php >|iex.*>|scala>|ghci>)\s*$/u,
    says: "There is no interactive session here. Give the code as an option such as -e or -c, or as a script.",
  },
  {
    programs: /\b(?:psql|mysql|mariadb|sqlite3|mongosh|redis-cli)\b/u,
    says: "There is no interactive database session here. Give the statement as an option (psql -c, mysql -e, sqlite3 FILE SQL), or pipe it in.",
  },
  {
    programs: /\b(?:apt|apt-get|dnf|yum|zypper|apk|pacman)\b/u,
    says: "Add the option that says yes (apt-get -y, dnf -y, zypper -n, pacman --noconfirm); for apt also set DEBIAN_FRONTEND=noninteractive.",
  },
  {
    programs: /\bnpm\s+(?:init|create)\b|\b(?:npx|pnpm\s+(?:dlx|create)|yarn\s+create|bunx?)\b/u,
    says: "Add --yes (npm init -y, npx --yes), and give what the generator asks for as its options, such as a name and --template.",
  },
  {
    programs: /\bpip3?\b|\bconda\b/u,
    says: "Add the option that says yes: pip uninstall -y, pip install --no-input, conda -y.",
  },
  {
    programs: /\b(?:terraform|tofu|pulumi)\b/u,
    says: "Give values as options (-var, -input=false), and agree beforehand with -auto-approve or --yes if the person wants that.",
  },
  {
    prompts: /overwrite|replace|remove|delete|\brm:|\bcp:|\bmv:/iu,
    programs: /(?:^|[\s;&|])(?:rm|cp|mv|unzip|7z|gzip|ln)\s/u,
    says: "Use the option that does not ask: -f for rm, cp, mv, ln and gzip, -o or -n for unzip, -y for 7z.",
  },
  {
    prompts: /[[(]\s*y(?:es)?\s*[/|,]\s*no?\b|\by\/n\b|\(y\)|proceed\?|continue\?|are you sure/iu,
    says: "Use the program's option that says yes (-y, --yes, --force, --no-input), or pipe the answer in: printf 'y\\n' | command.",
  },
  {
    prompts: /press (?:any key|enter|return)|hit (?:enter|return)/iu,
    says: "Pipe a line break in (printf '\\n' | command), or use the program's option for scripts.",
  },
];
