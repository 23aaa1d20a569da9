import { execFileSync } from "node:child_process";
import { linkSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sourceCommand } from "../../../../test/programs/source-command.ts";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { procPinning } from "../disk/proc-pinning.ts";
import { openScope } from "../test-support/open-scope.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { makeMoves } from "./make-moves.ts";
import type { MoveStep } from "./move.ts";
import { findEntry } from "./print-of.ts";

function openPlace() {
  const base = makeTemporaryDirectory();
  const [root, source] = [join(base, "root"), join(base, "source")];
  mkdirSync(join(root, "gone/deep"), { recursive: true });
  mkdirSync(source);
  for (const name of ["a", "b", "gone/in", "gone/deep/in"]) writeFileSync(join(root, name), name);
  for (const name of ["a", "b", "new"]) writeFileSync(join(source, name), `new ${name}`);
  const computer = createDiskComputer({ workspace: root, stateDirectory: join(base, "state") });
  const { journal } = computer.openSession("s");
  const make = (steps: readonly MoveStep[]) =>
    makeMoves(steps, {
      scope: { callId: "c1", journal, changed: () => {} },
      pinning: procPinning,
      flush: false,
    });
  const step = (kind: "created" | "modified" | "deleted", name: string): MoveStep => {
    const stats = findEntry(join(source, name));
    return {
      change: {
        path: join(root, name),
        kind,
        before: kind === "created" ? undefined : findEntry(join(root, name)),
        ...(kind !== "deleted" && stats && { after: { stats, source: join(source, name) } }),
      },
    };
  };
  const { files } = openScope(computer, undefined, { journal, callId: "undo" });
  return { root, source, journal, files, make, step };
}

const listing = (root: string): string =>
  execFileSync("sh", ["-c", "find . -printf '%p %m %i\\n' | sort; cat $(find . -type f | sort)"], {
    cwd: root,
    encoding: "utf8",
  });

describe.runIf(process.platform === "linux")("makeMoves", () => {
  it("takes everything back if one of the moves fails", async () => {
    const { root, source, journal, make, step } = openPlace();
    const before = [listing(root), listing(source)];
    const steps = [
      ...["gone/deep/in", "gone/deep", "gone/in", "gone"].map((name) => step("deleted", name)),
      step("modified", "a"),
      step("created", "new"),
      // It is there.
      step("created", "b"),
    ];
    await expect(make(steps)).rejects.toMatchObject({ code: "conflict" });
    expect([listing(root), listing(source)]).toEqual(before);
    expect(await journal.latest()).toEqual([]);
  });

  it("restores a protected file only to what was taken from it", async () => {
    const { root, journal, files, make, step } = openPlace();
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, ".git/config"), "harmless");
    await make([
      {
        change: {
          ...step("modified", "a").change,
          path: join(root, ".git/config"),
          before: findEntry(join(root, ".git/config")),
        },
      },
    ]);
    await make([step("modified", "b")]);
    const [other] = await journal.latest(join(root, "b"));
    const [config] = await journal.latest(join(root, ".git/config"));
    if (other === undefined || config === undefined) throw new Error("not journaled");
    const path = join(root, ".git/config");
    const forged = [
      { path, to: other.before, undoes: config.id },
      { path, to: { ...config.before }, undoes: config.id },
      { path, to: { kind: "absent" } as const, undoes: config.id },
      { path: join(root, ".git/hooks/pre-commit"), to: config.before, undoes: config.id },
    ];
    for (const change of forged) await expect(files.change([change])).rejects.toThrow();
    expect(readFileSync(path, "utf8")).toBe("new a");
    await files.change([{ path, to: config.before, undoes: config.id }]);
    expect(readFileSync(path, "utf8")).toBe("harmless");
  });

  it("does not restore what was changed in the journal through another name", async () => {
    const { root, journal, files, make, step } = openPlace();
    linkSync(join(root, "a"), join(root, "second"));
    await make([step("modified", "a")]);
    writeFileSync(join(root, "second"), "changed since");
    const [change] = await journal.latest(join(root, "a"));
    if (change === undefined) throw new Error("not journaled");
    const { path, before: to, id: undoes } = change;
    await expect(files.change([{ path, to, undoes }])).rejects.toThrow(/no longer kept/u);
    expect(lstatSync(path).ino).not.toBe(lstatSync(join(root, "second")).ino);
  });
});

const full = `
set -e
small=$1; mount -t tmpfs -o size=256k tmpfs "$small"; shift
mkdir -p "$1" "$2"; cd "$1"; mkdir d; echo 1 > d/a; echo 2 > b; cp -a . "$2"
echo changed > "$2/b"; rm -r "$2/d"; head -c 300000 /dev/urandom > "$2/large"
case "$small" in *state) cat /dev/zero > "$small/fill" 2> /dev/null || true;; esac
before=$(find . -type f -exec sha256sum {} + | sort)
shift 3
"$@" 2> /dev/null && exit 3
[ "$before" = "$(find . -type f -exec sha256sum {} + | sort)" ]
`;

describe.runIf(process.platform === "linux" && process.getuid?.() === 0)("a full disk", () => {
  it.each(["root", "state"])(
    "leaves the workspace as it was: %s",
    { timeout: 60_000 },
    async (small) => {
      const base = makeTemporaryDirectory();
      for (const name of ["root", "upper", "state"]) mkdirSync(join(base, name));
      const [root, upper, state] = ["root", "upper", "state"].map((name) => join(base, name)) as [
        string,
        string,
        string,
      ];
      const script = new URL("../test-support/move-and-die.ts", import.meta.url);
      const program = await sourceCommand(script);
      const run = [...program, root, upper, state, "apply", "Infinity"];
      const args = ["-m", "sh", "-c", full, "sh", join(base, small), root, upper, state, ...run];
      expect(() => execFileSync("unshare", args)).not.toThrow();
    },
  );
});
