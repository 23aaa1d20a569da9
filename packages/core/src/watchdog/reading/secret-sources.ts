import { hasOption, operandsOf, valuesOf } from "./arguments-of.ts";
import type { CommandLine } from "./command-line.ts";
import { type PathContext, toFullPath } from "./locate-path.ts";
import { codeOf } from "./net-sender.ts";
import type { SeenCommand } from "./seen-command.ts";

/** What a command line takes secrets from. */
export interface SecretSources {
  /** Files that are secret by name, as the line names them. */
  readonly files: readonly string[];
  /** Commands, or code, that give out the environment or all that is configured. */
  readonly dumps: readonly string[];
  /** Commands that print credentials of one service. */
  readonly credentials: readonly string[];
}

/** Who can tell secret files by their names. */
export interface SecretJudge extends PathContext {
  isSecret(path: string): boolean;
}

/** Finds what secrets a line takes up, be it in a command, a redirection or code. */
export function findSecretSources(line: CommandLine, judge: SecretJudge): SecretSources {
  const harmless = new Set([
    ...line.allCommands.flatMap(mentionedOnly),
    ...Array.from(line.text.matchAll(identityInText), ([, file]) => file),
  ]);
  const cwd = line.allCommands[0]?.cwd;
  const files = [...new Set([...line.words, ...line.allCommands.flatMap(literalArgs)])].filter(
    (word) => !harmless.has(word) && isSecretWord(word, cwd, judge),
  );
  return {
    files,
    dumps: line.allCommands.flatMap((command) => findDump(command) ?? []),
    credentials: line.allCommands.flatMap((command) => findCredentials(command) ?? []),
  };
}

/** Whether a word names a secret file, in full or as somebody in a directory would. */
export function isSecretWord(word: string, cwd: string | undefined, judge: SecretJudge): boolean {
  if (word.length > maxNameLength || /\*|\?/u.test(word)) return false;
  if (/^\/proc\/(?:self|\$?\w+)\/environ$/u.test(word)) return true;
  const path = toFullPath(word.replace(/^@/u, ""), cwd ?? "/", judge);
  return path !== undefined && judge.isSecret(path);
}

const maxNameLength = 4096;

function literalArgs({ args }: SeenCommand): string[] {
  return args.filter((arg) => arg !== undefined);
}

// Named, but not read: asked about, taken away, filled, or used to prove who one is.
function mentionedOnly({ program, args, plainArgs }: SeenCommand): string[] {
  const operands = operandsOf(args).filter((arg) => arg !== undefined);
  const identities = valuesOf(args, identityOptions[program] ?? []).filter(
    (arg) => arg !== undefined,
  );
  if (askers.has(program)) return operands;
  if (program === "git" && gitAskers.has(plainArgs[0] ?? "")) return operands;
  if (fillers.has(program)) return [...identities, ...operands.slice(-1)];
  return identities;
}

const askers = new Set(
  "ls test [ [[ stat rm unlink shred touch echo printf chmod chown mkdir file find locate which basename dirname realpath readlink".split(
    " ",
  ),
);
const gitAskers = new Set(["add", "check-ignore", "ls-files", "rm", "status", "log", "restore"]);
const fillers = new Set(["cp", "mv", "ln", "install", "tee", "openssl", "ssh-keygen"]);
/** By program, the options whose file proves who one is and stays here. */
const identityOptions: Readonly<Record<string, readonly string[]>> = {
  ssh: ["-i", "-F"],
  scp: ["-i", "-F"],
  sftp: ["-i", "-F"],
  mosh: ["-i"],
  "ssh-copy-id": ["-i"],
  curl: ["-E", "--cert", "--key", "--cacert", "--capath", "--netrc-file"],
  wget: ["--private-key", "--certificate", "--ca-certificate"],
  http: ["--cert", "--cert-key"],
  https: ["--cert", "--cert-key"],
  docker: ["--env-file", "--tlskey", "--tlscert", "--tlscacert"],
  node: ["--env-file"],
  npm: ["--userconfig"],
  kubectl: ["--kubeconfig", "--client-key", "--client-certificate"],
  helm: ["--kubeconfig"],
  ansible: ["--private-key", "--key-file"],
  "ansible-playbook": ["--private-key", "--key-file"],
};

// `rsync -e "ssh -i key.pem"` and the like.
const identityInText = /\bssh\s+(?:-\w+\s+)*?-i\s*([^\s"']+)/gu;

function findDump({ program, args, plainArgs }: SeenCommand): string | undefined {
  switch (program) {
    case "env":
      return args.every((arg) => arg === "-0" || arg === "--null") ? program : undefined;
    case "set":
      return args.length === 0 ? program : undefined;
    case "printenv": {
      const names = operandsOf(args);
      return names.length === 0 || names.some((name) => secretName.test(name ?? ""))
        ? program
        : undefined;
    }
    case "export":
    case "declare":
    case "typeset":
      return hasOption(args, "px") && operandsOf(args).length === 0 ? program : undefined;
    case "ps":
      return args.some((arg) => /^-?[a-z]*e[a-z]*ww?$/u.test(arg ?? "")) ? program : undefined;
    case "git":
      return /^(?:config (?:--list|-l|--get-regexp)|credential fill)\b/u.test(plainArgs.join(" "))
        ? program
        : undefined;
    default:
      return codeOf(args).some((code) => wholeEnvironment.test(code))
        ? `code of ${program}`
        : undefined;
  }
}

function findCredentials({ program, plainArgs }: SeenCommand): string | undefined {
  const words = [program, ...plainArgs];
  const printer = printers.find((each) => each.every((part, index) => words[index] === part));
  return printer?.join(" ");
}

const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL/iu;

const wholeEnvironment =
  /\bos\.environ\b(?!\.get\(|\[)|\bprocess\.env\b(?![.[\w])|%ENV\b|\bENV\.(?:to_|each|inspect)|getenv\(\)/u;

/** Commands that print credentials, by their first words. */
const printers: readonly (readonly string[])[] = [
  ["gh", "auth", "token"],
  ["gcloud", "auth", "print-access-token"],
  ["gcloud", "auth", "print-identity-token"],
  ["aws", "configure", "export-credentials"],
  ["aws", "configure", "get"],
  ["aws", "secretsmanager", "get-secret-value"],
  ["az", "account", "get-access-token"],
  ["kubectl", "get", "secret"],
  ["kubectl", "get", "secrets"],
  ["kubectl", "config", "view"],
  ["security", "find-generic-password"],
  ["security", "find-internet-password"],
  ["pass", "show"],
  ["op", "read"],
  ["vault", "read"],
  ["vault", "kv"],
  ["heroku", "config"],
];
