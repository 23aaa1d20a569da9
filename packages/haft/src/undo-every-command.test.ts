import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../scripts/setup/system-packages.mjs";
import { openSession } from "./index.ts";
import { photograph } from "./test-support/photograph.ts";

// The tree that every command works on.
const plant = `
printf 'one\\ntwo\\nthree\\n' > a.txt; : > empty.txt; mkdir -p src/deep docs hollow closed
printf 'export const b = 1;\\n' > src/b.ts; printf 'c\\n' > src/deep/c.ts; printf '# d\\n' > docs/d.md
head -c 9000 /dev/urandom > big.bin; printf '#!/bin/sh\\n' > run.sh; chmod 750 run.sh
ln -s src/b.ts link; ln -s nowhere broken; printf 'shared\\n' > h1; ln h1 h2; printf 'x' > 'odd name'
printf 'in\\n' > closed/in; chmod 500 closed
python3 -c 'import os
try: os.setxattr("docs/d.md", "user.note", b"one")
except OSError: pass'
`;

const files = [
  "a.txt",
  "src/b.ts",
  "big.bin",
  "run.sh",
  "h1",
  "docs/d.md",
  "empty.txt",
  "'odd name'",
];
const directories = ["src", "src/deep", "docs"];
const links = ["link", "broken"];

const onFile: readonly ((path: string) => string)[] = [
  (path) => `printf 'more\\n' >> ${path}`,
  (path) => `: > ${path}; echo new > ${path}`,
  (path) => `sed -i '1s/^/x/' ${path}; echo y >> ${path}`,
  (path) => `rm ${path}`,
  (path) => `mv ${path} moved`,
  (path) => `mv ${path} hollow/moved`,
  (path) => `cp -p ${path} copy`,
  (path) => `mv -f ${path} run.sh 2>/dev/null || rm run.sh`,
  (path) => `chmod 601 ${path}`,
  (path) => `chmod 711 ${path} && echo x >> ${path}`,
  (path) => `ln ${path} hard`,
  (path) => `ln ${path} hard && echo x >> hard`,
  (path) => `ln -sf empty.txt ${path} 2>/dev/null || rm ${path}`,
  (path) => `rm ${path} && mkdir ${path} && echo in > ${path}/in`,
  (path) => `rm ${path} && ln -s src ${path}`,
  (path) =>
    `python3 -c "import os; os.setxattr('''${path.replaceAll("'", "")}''', 'user.note', b'two')"`,
];
const onDirectory: readonly ((path: string) => string)[] = [
  (path) => `rm -r ${path}`,
  (path) => `mv ${path} lib`,
  (path) => `mv ${path} hollow/lib`,
  (path) => `chmod 700 ${path}`,
  (path) => `chmod 711 ${path} && echo 1 > ${path}/new && chmod 750 ${path}`,
  (path) => `rm -r ${path} && echo file > ${path}`,
  (path) => `rm -r ${path} && ln -s docs ${path}`,
  (path) => `rm -r ${path} && mkdir -p ${path}/other && echo z > ${path}/other/z`,
  (path) => `cp -a ${path} copy`,
  (path) => `mkdir -p ${path}/x/y/z && touch ${path}/x/f`,
  (path) => `for i in 1 2 3 4 5; do echo $i > ${path}/n$i; done`,
  (path) => `find ${path} -type f -exec sh -c 'echo x >> "$1"' _ {} ';'`,
];
const onLink: readonly ((path: string) => string)[] = [
  (path) => `rm ${path}`,
  (path) => `ln -sfn docs ${path}`,
  (path) => `rm ${path} && echo plain > ${path}`,
  (path) => `rm ${path} && mkdir ${path}`,
  (path) => `mv ${path} moved-link`,
];
const others: readonly string[] = [
  "rmdir hollow",
  "chmod 711 hollow",
  "rm h1",
  "rm h1 h2",
  "mv h1 h3",
  "echo x >> h1; echo y >> h2",
  "ln h1 h3",
  "rm h2 && ln a.txt h2",
  "chmod 700 closed && rm closed/in && chmod 500 closed",
  "chmod 700 closed && echo 2 > closed/two",
  "chmod 700 closed && rm -r closed",
  "chmod 700 closed && mv closed open",
  "mkdir new && chmod 500 new",
  "mkdir -p new/in && touch new/in/f && chmod -R a-w new",
  "git init -q .",
  "git init -q . && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm one",
  "tar cf all.tar src docs && rm -r docs && tar xf all.tar",
  "mv a.txt t && mv empty.txt a.txt && mv t empty.txt",
  "mv src t && mv docs src && mv t docs",
  "rm -rf src docs hollow a.txt",
  "rm -r src && mkdir src && echo b > src/b.ts",
  'python3 -c \'import os; os.removexattr("docs/d.md", "user.note")\' 2>/dev/null; rm link',
  "truncate -s 1M sparse && truncate -s 3 a.txt",
  "mkfifo pipe; echo x > beside",
  "umask 077; mkdir private; echo x > private/file",
];

const single = [
  ...files.flatMap((path) => onFile.map((act) => act(path))),
  ...directories.flatMap((path) => onDirectory.map((act) => act(path))),
  ...links.flatMap((path) => onLink.map((act) => act(path))),
  ...others,
];
// Pairs of commands that meet in the same tree.
const pairs = Array.from({ length: 101 }, (_, index) => {
  const [one, other] = [
    single[(index * 7) % single.length],
    single[(index * 31 + 5) % single.length],
  ];
  return `{ ${one}; }; { ${other}; } 2>/dev/null`;
});
const commands = [...single, ...pairs];
const perCall = 38;

async function undoAll(own: readonly string[]): Promise<void> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-undo-all-")));
  onTestFinished(() => {
    execFileSync("chmod", ["-R", "u+rwX", base]);
    rmSync(base, { recursive: true, force: true });
  });
  const workspace = join(base, "workspace");
  const tree = join(workspace, "t0");
  mkdirSync(tree, { recursive: true });
  execFileSync("sh", ["-c", plant], { cwd: tree });
  const copies = own.slice(1).map((_, index) => `cp -a t0 t${index + 1}`);
  execFileSync("sh", ["-c", copies.join("\n")], { cwd: workspace });
  const session = openSession({
    workspace,
    stateDirectory: join(base, "state"),
    sandbox: "required",
  });
  onTestFinished(() => session.close());
  const before = photograph(workspace);
  const call = async (name: string, args: object) => {
    const result = await session.call({ name, arguments: args as never, approved: true });
    expect("error_text" in result ? result.error_text : "").toBe("");
    return result;
  };
  const lines = own.map((command, index) => `(cd t${index}; ${command})`);
  const { metadata } = await call("bash", { command: lines.join("\n") });
  expect(metadata.reversible).toBe(true);
  const after = photograph(workspace);
  for (const [index, command] of own.entries()) {
    const of = (photo: Record<string, string>) =>
      Object.entries(photo).filter(([path]) => path.startsWith(`t${index}/`));
    expect.soft(of(after), command).not.toEqual(of(before));
    writeFileSync(join(workspace, `t${index}`, "by-hand"), "kept");
  }
  const check = (expected: Record<string, string>): void => {
    const now = photograph(workspace);
    for (const [index, command] of own.entries()) {
      const tree = `t${index}/`;
      expect(now[`${tree}by-hand`], command).toBeDefined();
      const of = (photo: Record<string, string>) =>
        Object.fromEntries(
          Object.entries(photo).filter(
            ([path]) => path.startsWith(tree) && !path.endsWith("by-hand"),
          ),
        );
      expect.soft(of(now), command).toEqual(of(expected));
    }
  };
  await call("undo_edit", {});
  check(before);
  await call("undo_edit", { redo: true });
  check(after);
  await call("undo_edit", {});
  check(before);
}

describe.skipIf(isMissing("bwrap"))(`${commands.length} commands`, { timeout: 120_000 }, () => {
  it("are undone, redone and undone again, and leave what a person did meanwhile", async () => {
    const batches = Array.from({ length: Math.ceil(commands.length / perCall) }, (_, index) =>
      commands.slice(index * perCall, (index + 1) * perCall),
    );
    expect(commands.length).toBeGreaterThanOrEqual(300);
    for (let at = 0; at < batches.length; at += 4) {
      await Promise.all(batches.slice(at, at + 4).map(undoAll));
    }
  });
});
