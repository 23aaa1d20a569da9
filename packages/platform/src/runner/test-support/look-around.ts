import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What a program could find out from inside a sandbox. */
export interface Sighting {
  /** Files and directories that can be listed and were not expected. */
  readonly unexpected: readonly string[];
  /** The names in `/etc`. */
  readonly etc: readonly string[];
  /** Where a canary was found: a file, or the environment or arguments of a process. */
  readonly canaries: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
  readonly host: string;
}

/**
 * An operator's machine full of canaries, as the environment of a server that is started on it. Its
 * directories are for the operator alone.
 */
export interface OperatorMachine {
  /** What all of its secrets are, the other way round. */
  readonly reversed: string;
  /** For the directories of the server; a canary lies beside whatever is made in it. */
  readonly data: string;
  /** Puts this process's environment back as it was, and removes the files. */
  leave(): void;
}

const ofHome = [
  ...[".cargo/config.toml", ".cargo/credentials.toml", ".cargo/bin/tool", ".rustup/settings.toml"],
  ...[".npmrc", ".npm-global/etc/npmrc", ".npm-global/bin/tool", ".nvm/versions/node/v1/bin/tool"],
  ...[
    ".nvm/versions/node/v1/etc/npmrc",
    ".config/pip/pip.conf",
    ".pyenv/version",
    ".pyenv/bin/tool",
  ],
  ...["go/env", "go/bin/tool", ".gradle/gradle.properties", ".m2/settings.xml", ".gitconfig"],
  ...[".ssh/id_rsa", ".bashrc", "notes.txt", ".local/bin/tool", ".local/lib/x", "bin/tool"],
  ...[
    ".volta/bin/tool",
    ".bun/bin/tool",
    ".deno/bin/tool",
    ".asdf/shims/tool",
    ".sdkman/etc/config",
  ],
];

/** Makes this process's environment that of an operator. */
export function enterOperatorMachine(): OperatorMachine {
  const canary = `canary-${randomBytes(8).toString("hex")}`;
  // As long a name as an operator may choose, for a socket too long.
  const data = `data-${"x".repeat(80)}`;
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-operator-")));
  const plant = (path: string): void => {
    mkdirSync(dirname(join(base, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(base, path), `token = "${canary}"\n`, { mode: 0o755 });
  };
  for (const path of ofHome) plant(`home/${path}`);
  for (const path of ["apps/x/bin/tool", "apps/x/lib/settings", "tmp/file", `${data}/haft.db`])
    plant(path);
  plant(`${data}/runner/state/secret`);
  plant(`${data}/builder/caches/secret`);
  const directories = ofHome.filter((path) => /\/tool$/u.test(path)).map((path) => dirname(path));
  const before = { ...process.env };
  Object.assign(process.env, {
    HOME: join(base, "home"),
    TMPDIR: join(base, "tmp"),
    PATH: [
      ...directories.map((path) => join(base, "home", path)),
      join(base, "apps/x/bin"),
      process.env.PATH,
    ].join(":"),
    OPERATOR_NOTE: canary,
    API_TOKEN: canary,
  });
  return {
    reversed: [...canary].reverse().join(""),
    data: join(base, data),
    leave: () => {
      for (const name of Object.keys(process.env)) delete process.env[name];
      Object.assign(process.env, before);
      // The broker of this process may have its pipes in the temporary directory, and test files that
      // follow in the same process use it.
      process.once("exit", () => rmSync(base, { recursive: true, force: true }));
    },
  };
}

/**
 * A module that exports `lookAround(reversed, allowed)`, in Node: the canary comes the other way round,
 * so that nothing of the program's own is taken for it. What the base system has, the kernel
 * and `/etc` is not walked.
 */
export const nodeLook: string = `
import { readdirSync, readFileSync, lstatSync, existsSync } from "node:fs";
import { hostname, userInfo } from "node:os";
const base = /^\\/(?:usr\\/(?:s?bin|lib(?:x?32|64|exec)?|share)|s?bin|lib(?:x?32|64)?|nix\\/store|gnu\\/store|proc|dev|sys|etc)$/;
const usual = ["/usr/bin", "/tmp", "/var/tmp", "/home/haft", "/run/haft", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const isExpected = (path, allowed) => [...usual, ...allowed].some(
  (each) => (path + "/").startsWith(each + "/") || (each + "/").startsWith(path + "/"));
const attempt = (look, fallback) => { try { return look(); } catch { return fallback; } };
export function lookAround(reversed, allowed) {
  const canary = [...reversed].reverse().join("");
  const unexpected = [];
  const paths = { push: (path) => isExpected(path, allowed) || unexpected.push(path) };
  const canaries = [];
  const search = (path) => {
    const text = attempt(() => readFileSync(path).subarray(0, 1 << 20).toString("latin1"), "");
    if (text.includes(canary)) canaries.push(path);
  };
  const walk = (directory) => {
    for (const name of attempt(() => readdirSync(directory), [])) {
      const path = (directory === "/" ? "" : directory) + "/" + name;
      if (base.test(path)) continue;
      const stats = attempt(() => lstatSync(path), undefined);
      if (stats?.isDirectory()) walk(path);
      else search(path);
      paths.push(path);
    }
  };
  walk("/");
  for (const name of attempt(() => readdirSync("/usr/lib/node_modules"), []))
    paths.push("/usr/lib/node_modules/" + name);
  for (const id of readdirSync("/proc").filter((name) => /^\\d+$/.test(name)))
    for (const file of ["environ", "cmdline"]) search("/proc/" + id + "/" + file);
  for (const file of ["mountinfo", "mounts"]) search("/proc/self/" + file);
  for (const name of ["cmdline", "swaps", "keys"])
    if (attempt(() => readFileSync("/proc/" + name, "utf8"), "") !== "") paths.push("/proc/" + name);
  return {
    unexpected, canaries, etc: readdirSync("/etc"), environment: { ...process.env },
    user: userInfo().username, host: hostname() + attempt(() => readFileSync("/etc/hostname", "utf8"), ""),
  };
}
`;

/** The same in Python, as a function `look_around(reversed, allowed)`. */
export const pythonLook: string = `
import os, pwd, re, socket
BASE = re.compile(r"^/(?:usr/(?:s?bin|lib(?:x?32|64|exec)?|share)|s?bin|lib(?:x?32|64)?|nix/store|gnu/store|proc|dev|sys|etc)$")
def look_around(reversed, allowed):
    canary = reversed[::-1]
    paths, canaries = [], []
    def search(path):
        try:
            with open(path, "rb") as file:
                if canary.encode() in file.read(1 << 20):
                    canaries.append(path)
        except OSError:
            pass
    for top, directories, files in os.walk("/"):
        directories[:] = [name for name in directories if not BASE.match(os.path.join(top, name))]
        for name in files:
            search(os.path.join(top, name))
        paths.extend(os.path.join(top, name) for name in directories + files)
    for name in os.listdir("/proc"):
        if name.isdigit():
            search(f"/proc/{name}/environ")
            search(f"/proc/{name}/cmdline")
    usual = ["/usr/bin", "/tmp", "/var/tmp", "/home/haft", "/run/haft", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]
    def expected(path):
        return any((path + "/").startswith(each + "/") or (each + "/").startswith(path + "/")
                   for each in usual + allowed)
    return {
        "unexpected": [path for path in paths if not expected(path)], "canaries": canaries, "etc": os.listdir("/etc"), "environment": dict(os.environ),
        "user": pwd.getpwuid(os.getuid()).pw_name, "host": socket.gethostname(),
    }
`;
