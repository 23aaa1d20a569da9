import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { openTestSandbox, type TestSandbox } from "../test-support/open-test-sandbox.ts";

let tested: TestSandbox;

beforeAll(async () => {
  if (!isMissing("bwrap")) tested = await openTestSandbox();
});
afterAll(() => tested?.close());

/** Shell functions that attacks are made of: each leaves something that runs the canary. */
const tools = `
  canary=$PWD/canary
  config() { mkdir -p "$(dirname "$1")" 2>/dev/null; chmod u+w "$1" 2>/dev/null; printf '[core]\\nfsmonitor = %s\\nrepositoryformatversion = 0\\n' "$canary" >"$1"; }
  hook() { mkdir -p "$1" 2>/dev/null; rm -f "$1/post-index-change" "$1/pre-commit"; cp canary "$1/pre-commit"; cp canary "$1/post-index-change"; }
  swap() { mv "$1" "$1.old"; mkdir -p "$1"; }
  { `;

interface Attack {
  readonly title: string;
  /** What the user has; run outside, in the workspace. */
  readonly before: string;
  readonly attack: string;
  /** Where the user runs git afterwards. Default: in the workspace. */
  readonly at?: string;
}

const someRepository = "git init -q .";
const separate = "mkdir store; git init -q --separate-git-dir store/repo top";
const commit = "git commit -q --allow-empty -m x";

const followed: readonly Attack[] = [
  { title: "gitdir, config", before: separate, attack: "config store/repo/config", at: "top" },
  { title: "gitdir, hooks", before: separate, attack: "hook store/repo/hooks", at: "top" },
  {
    title: "gitdir, directory swapped",
    before: separate,
    attack: "swap store/repo; cp -r store/repo.old/. store/repo; config store/repo/config",
    at: "top",
  },
  {
    title: "gitdir, directory above swapped",
    before: separate,
    attack: "mv store s; cp -r s store; config store/repo/config; hook store/repo/hooks",
    at: "top",
  },
  {
    title: "gitdir, through a link that is swapped",
    before: `mkdir real; ln -s real store; git init -q --separate-git-dir store/repo top; sed -i 's#/real/#/store/#' top/.git`,
    attack: "cp -r real other; rm store; ln -s other store; config other/repo/config",
    at: "top",
  },
  {
    title: ".git as a link",
    before: "git init -q top; mv top/.git stored; ln -s ../stored top/.git",
    attack: "config stored/config; hook stored/hooks",
    at: "top",
  },
  {
    title: "a worktree's commondir",
    before: `git init -q main; git -C main ${commit.slice(4)}; git -C main worktree add -q ../tree`,
    attack: `mkdir -p evil; cp -r main/.git/. evil; config evil/config; echo $PWD/evil >main/.git/worktrees/tree/commondir`,
    at: "tree",
  },
  {
    title: "a worktree's own configuration",
    before: `git init -q main; git -C main ${commit.slice(4)}; git -C main config extensions.worktreeConfig true; git -C main worktree add -q ../tree`,
    attack: "config main/.git/worktrees/tree/config.worktree; config main/.git/config.worktree",
    at: "tree",
  },
  {
    title: "a submodule's repository",
    before: `git init -q lib; git -C lib ${commit.slice(4)}; git init -q main; git -C main -c protocol.file.allow=always submodule --quiet add ../lib sub`,
    attack: "config main/.git/modules/sub/config; hook main/.git/modules/sub/hooks",
    at: "main",
  },
  {
    title: "core.hooksPath",
    before: `${someRepository}; mkdir githooks; git config core.hooksPath githooks`,
    attack: "hook githooks",
  },
  {
    title: "core.hooksPath that does not exist yet",
    before: `${someRepository}; git config core.hooksPath tools/githooks`,
    attack: "hook tools/githooks",
  },
  {
    title: "core.hooksPath in a moved directory",
    before: `${someRepository}; mkdir -p tools/githooks; git config core.hooksPath tools/githooks`,
    attack: "mv tools t; hook tools/githooks",
  },
  {
    title: "core.hooksPath through a new link",
    before: `${someRepository}; git config core.hooksPath "$PWD/tools/githooks"`,
    attack: "hook x/githooks; ln -s x tools",
  },
  {
    title: "core.hooksPath with .. after a link",
    before: `${someRepository}; mkdir -p a/b hooks; ln -s a/b link; git config core.hooksPath link/../hooks`,
    attack: "hook a/hooks",
  },
  {
    title: "include.path",
    before: `${someRepository}; echo >shared.cfg; git config include.path ../shared.cfg`,
    attack: "config shared.cfg",
  },
  {
    title: "include.path that does not exist yet",
    before: `${someRepository}; git config include.path ../shared.cfg`,
    attack: "config shared.cfg",
  },
  {
    title: "includeIf, quoted, continued and nested",
    before: `${someRepository}; printf '[InCludeIf "gitdir:**"]\\n\\tPATH = "../a \\\\\\nb.cfg" ; x\\n' >>.git/config; printf '[include]path=c.cfg' >'a b.cfg'`,
    attack: "config c.cfg",
  },
  {
    title: "a hook that is a link",
    before: `${someRepository}; mkdir scripts; echo '#!/bin/sh' >scripts/x; chmod +x scripts/x; ln -s ../../scripts/x .git/hooks/pre-commit`,
    attack: "rm -f scripts/x; cp canary scripts/x; cat canary >scripts/x",
  },
  {
    title: "hooks that are a link",
    before: `${someRepository}; mkdir h; rm -r .git/hooks; ln -s ../h .git/hooks`,
    attack: "hook h",
  },
  {
    title: "a configuration that is a link",
    before: `${someRepository}; mv .git/config conf; ln -s ../conf .git/config`,
    attack: "config conf; rm -f conf; config conf",
  },
  {
    title: "a program that the configuration names",
    before: `${someRepository}; mkdir bin; echo '#!/bin/sh' >bin/watch; chmod +x bin/watch; git config core.fsmonitor "sh bin/watch"`,
    attack: "cat canary >bin/watch; cp canary x; mv -f x bin/watch",
  },
  {
    title: "hooks of husky",
    before: `${someRepository}; mkdir -p .husky/_; git config core.hooksPath .husky/_`,
    attack: "hook .husky/_; mv .husky h; hook .husky/_",
  },
];

const made: readonly Attack[] = [
  {
    title: "a repository at an odd place",
    before: someRepository,
    attack:
      "git init -q s; mkdir -p .git/x; mv s/.git .git/x/repo; mkdir sub; echo 'gitdir: ../.git/x/repo' >sub/.git; config .git/x/repo/config; hook .git/x/repo/hooks",
    at: "sub",
  },
  {
    title: "a directory whose files are in two places",
    before: "true",
    attack:
      "git init -q s; git -C s -c user.name=a -c user.email=b commit -q --allow-empty -m x; mkdir sub common; mv s/.git/objects s/.git/refs s/.git/hooks common; cp s/.git/HEAD sub; echo ../common >sub/commondir; config common/config; cp canary common/hooks/reference-transaction",
    at: "sub",
  },
  {
    title: "a name that ends in a blank",
    before: "true",
    attack:
      "git init -q 'evil '; git init -q good; mkdir sub; echo 'gitdir: ../evil /.git' >sub/.git; config 'evil /.git/config'; mkdir -p s2; mv 'evil /.git' 'r '; printf 'gitdir: ../r ' >s2/.git; cp s2/.git sub/.git",
    at: "sub",
  },
  {
    title: "pointers that follow pointers",
    before: "true",
    attack:
      "git init -q s; mkdir a b; mv s/.git real; ln -s ../real a/link; echo 'gitdir: ../a/link' >b/.git; config real/config; hook real/hooks",
    at: "b",
  },
  {
    title: "a hook of a bare repository, with its time and size as before",
    before:
      "git init -q --bare sub; cp canary sub/hooks/pre-commit; sed 's/touch/false/' canary >sub/hooks/post-index-change; chmod +x sub/hooks/*; rm sub/hooks/pre-commit; git -C sub config core.bare false; git -C sub config core.worktree ..; touch -d 2001-01-01 sub/hooks/*",
    attack:
      "sed 's/touch/touch/' canary >sub/hooks/post-index-change; touch -d 2001-01-01 sub/hooks/*",
    at: "sub",
  },
];

describe.skipIf(isMissing("bwrap"))("git after a command", () => {
  it.each([...followed, ...made])("runs nothing of the command's: $title", async (attack) => {
    const workspace = prepare(attack.before);
    await tested.run(workspace, `${tools} ${attack.attack}; } 2>&1; true`);
    useGit(join(workspace, attack.at ?? "."));
    expect(existsSync(join(workspace, "ran"))).toBe(false);
  });

  it.each([...followed, ...made])(
    "is reached by these attacks without a sandbox: $title",
    (attack) => {
      const workspace = prepare(attack.before);
      shell(workspace, `${tools} ${attack.attack}; } 2>/dev/null; true`);
      useGit(join(workspace, attack.at ?? "."));
      expect(existsSync(join(workspace, "ran"))).toBe(true);
    },
  );

  it.each([
    ["hooksPath = githooks", "hook githooks"],
    ["hooksPath = @/githooks", "hook githooks"],
    ["fsmonitor = @/watch", "cp canary watch"],
  ])("runs nothing by the user's own configuration: %s", async (setting, attack) => {
    const workspace = prepare(someRepository);
    const file = join(tested.home, ".gitconfig");
    writeFileSync(file, `[core]\n${setting.replace("@", workspace)}\n`);
    await tested.run(workspace, `${tools} ${attack}; } 2>&1; true`);
    useGit(workspace);
    writeFileSync(file, "");
    expect(existsSync(join(workspace, "ran"))).toBe(false);
  });

  it.each(["[include]\npath = @/mine.cfg", '[includeIf "gitdir:/"]\npath = ~/link/mine.cfg'])(
    "runs nothing by what the user's own configuration includes: %j",
    async (setting) => {
      const workspace = prepare(`${someRepository}; echo >mine.cfg`);
      mkdirSync(join(tested.home, ".config/git"), { recursive: true });
      const file = join(tested.home, ".config/git/config");
      writeFileSync(file, setting.replace("@", workspace));
      execFileSync("ln", ["-sfn", workspace, join(tested.home, "link")]);
      await tested.run(workspace, `${tools} config mine.cfg; } 2>&1; true`);
      useGit(workspace);
      writeFileSync(file, "");
      expect(existsSync(join(workspace, "ran"))).toBe(false);
    },
  );

  it("runs nothing by a repository above the workspace, or one that it is a worktree of", async () => {
    const above =
      prepare(`${someRepository}; mkdir -p inner/hooks; git config core.hooksPath inner/hooks; ${commit}
      git worktree add -q tree; mkdir -p tree/inner/hooks`);
    for (const workspace of [join(above, "inner"), join(above, "tree")]) {
      execFileSync("cp", [join(above, "canary"), workspace]);
      await tested.run(workspace, `${tools} hook hooks; hook inner/hooks; } 2>&1; true`);
      useGit(workspace);
      expect(existsSync(join(above, "ran"))).toBe(false);
    }
  });

  it("leaves a repository alone that leads nowhere else", async () => {
    const workspace = prepare(`${separate}; mkdir src .devcontainer; ln -s ../src .devcontainer/src
      git init -q sub; git -C sub config core.hooksPath .; git -C sub config alias.x '!cd link; true'; ln -s . sub/link`);
    symlinkSync("src", join(workspace, "plain"));
    const { exitCode, notes } = await tested.run(
      workspace,
      `set -e; cd top; echo x >file; git add .; ${commit}; git worktree add -q ../tree; cd ..; git clone -q top clone
      echo x >src/hooks; mkdir src/config; mv src moved; rm -r clone; echo x >sub/file`,
      { environment: author },
    );
    expect({ exitCode, notes }).toEqual({ exitCode: 0, notes: [] });
  });

  it("never has a directory removed because a command points at it", async () => {
    const workspace = prepare("mkdir -p src/hooks; echo x >src/hooks/use.ts; echo x >src/config");
    await tested.run(
      workspace,
      `git init -q new; git -C new config core.hooksPath $PWD/src/hooks; git -C new config include.path $PWD/src/config
      mkdir p; echo 'gitdir: ../src' >p/.git; ln -s src .haft; ln -s src .vscode`,
    );
    expect(existsSync(join(workspace, "src/hooks/use.ts"))).toBe(true);
    expect(existsSync(join(workspace, "src/config"))).toBe(true);
  });
});

const author = {
  PATH: process.env.PATH ?? "",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
};

/** A workspace with a program that leaves a file when it runs. */
function prepare(before: string): string {
  const workspace = tested.makeWorkspace();
  const canary = join(workspace, "canary");
  writeFileSync(canary, `#!/bin/sh\ntouch "${workspace}/ran"\n`, { mode: 0o755 });
  shell(workspace, before);
  return workspace;
}

function shell(directory: string, script: string): void {
  execFileSync("bash", ["-c", script], {
    cwd: directory,
    env: { ...author, HOME: tested.home, GIT_CONFIG_NOSYSTEM: "1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** What a user does next. */
function useGit(directory: string): void {
  shell(directory, `git status; touch file; git add file; ${commit}; git branch new; true`);
}
