import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolError } from "@haft/contract";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { computers, openRuntime } from "../test-support/computers.ts";
import { applyPatch } from "./apply-patch.ts";

const decoder = new TextDecoder();
const directory = mkdtempSync(join(tmpdir(), "haft-patch-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What becomes of one line: it stays, goes, or gets others before it. */
interface LineEdit {
  readonly isRemoved: boolean;
  readonly added: number;
}

interface Change {
  readonly before: readonly string[];
  readonly edits: readonly LineEdit[];
}

const changes: fc.Arbitrary<Change> = fc
  .array(
    fc.record({
      isRemoved: fc.boolean(),
      added: fc.integer({ min: 0, max: 2 }),
      gap: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((steps) => {
    const edits = steps.flatMap(({ gap, ...edit }): LineEdit[] => {
      return [...Array.from({ length: gap }, () => ({ isRemoved: false, added: 0 })), edit];
    });
    edits.push({ isRemoved: false, added: 0 });
    return { edits, before: edits.map((_, line) => `line ${line}`) };
  })
  .filter(({ edits }) => edits.some(({ isRemoved, added }) => isRemoved || added > 0));

/** The signed lines of the whole file, each with the old line that it stands at. */
function toSigned({ before, edits }: Change): { line: number; text: string }[] {
  return edits.flatMap(({ isRemoved, added }, line) => [
    ...Array.from({ length: added }, (_, index) => ({ line, text: `+new ${line}.${index}` })),
    { line, text: `${isRemoved ? "-" : " "}${before[line]}` },
  ]);
}

function toAfter(change: Change): string[] {
  return toSigned(change)
    .filter(({ text }) => !text.startsWith("-"))
    .map(({ text }) => text.slice(1));
}

/** Groups of changed lines, with two lines of context around them. */
function toHunks(change: Change): { line: number; text: string }[][] {
  const signed = toSigned(change);
  const isNear = signed.map((_, at) =>
    signed.slice(Math.max(0, at - 2), at + 3).some(({ text }) => !text.startsWith(" ")),
  );
  const hunks: { line: number; text: string }[][] = [];
  for (const [at, part] of signed.entries()) {
    if (!isNear[at]) continue;
    if (at === 0 || !isNear[at - 1]) hunks.push([]);
    hunks.at(-1)?.push(part);
  }
  return hunks;
}

function toUnified(change: Change): string {
  let grown = 0;
  const hunks = toHunks(change).map((lines) => {
    const old = lines.filter(({ text }) => !text.startsWith("+")).length;
    const fresh = lines.filter(({ text }) => !text.startsWith("-")).length;
    const start = (lines[0]?.line ?? 0) + 1;
    const header = `@@ -${start},${old} +${start + grown},${fresh} @@`;
    grown += fresh - old;
    return [header, ...lines.map(({ text }) => text)].join("\n");
  });
  return `--- a/a\n+++ b/a\n${hunks.join("\n")}\n`;
}

function toBeginPatch(change: Change): string {
  const hunks = toHunks(change).map((lines) => ["@@", ...lines.map(({ text }) => text)].join("\n"));
  return `*** Begin Patch\n*** Update File: a\n${hunks.join("\n")}\n*** End Patch\n`;
}

const toText = (lines: readonly string[], ending = "\n"): string =>
  lines.map((line) => line + ending).join("");

describe.each(computers)("apply_patch %s", (_, make) => {
  const apply = async (before: string, patch: string): Promise<string | ToolError> => {
    const runtime = openRuntime(make({ a: before }), applyPatch);
    try {
      await applyPatch.execute({ patch }, runtime);
    } catch (error) {
      if (!ToolError.isInstance(error)) throw error;
      expect(decoder.decode(await runtime.fs.read("a"))).toBe(before);
      return error;
    }
    return decoder.decode(await runtime.fs.read("a"));
  };

  it.each([
    ["unified", toUnified],
    ["begin-patch", toBeginPatch],
  ])(
    "makes of a file what the patch says, wherever its lines have gone to: %s",
    async (_form, toPatch) => {
      await fc.assert(
        fc.asyncProperty(
          changes,
          fc.nat(30),
          fc.constantFrom("\n", "\r\n"),
          async (change, shift, ending) => {
            const above = Array.from({ length: shift }, (_, at) => `above ${at}`);
            const before = toText([...above, ...change.before], ending);
            const after = toText([...above, ...toAfter(change)], ending);
            expect(await apply(before, toPatch(change))).toBe(after);
          },
        ),
        { numRuns: 40 },
      );
    },
  );

  it("changes no file if one section does not fit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(changes, { minLength: 1, maxLength: 4 }),
        fc.nat(4),
        fc.constantFrom("@@\n-nowhere\n+x\n", "", "*** Move to: /outside\n@@\n-line 0\n+x\n"),
        async (all, place, wrong) => {
          const files = Object.fromEntries(
            all.map((change, index) => [`f${index}`, toText(change.before)]),
          );
          const sections = all.map((change, index) => {
            const [, body] = toBeginPatch(change).split("File: a\n");
            return `*** Update File: f${index}\n${body?.replace("*** End Patch\n", "")}`;
          });
          sections.splice(place, 0, `*** Update File: wrong\n${wrong}`);
          const runtime = openRuntime(make({ ...files, wrong: "line 0\n" }), applyPatch);
          const patch = `*** Begin Patch\n*** Add File: made\n+made\n${sections.join("")}*** End Patch\n`;
          const call = applyPatch.execute({ patch }, runtime);
          await expect(call).rejects.toSatisfy((error) => ToolError.isInstance(error));
          for (const [path, text] of Object.entries(files)) {
            expect(decoder.decode(await runtime.fs.read(path))).toBe(text);
          }
          const made = runtime.fs.read("made");
          await expect(made).rejects.toMatchObject({ code: "not-found" });
        },
      ),
      { numRuns: 30 },
    );
  });

  it("leaves files alone, whatever garbage it gets", async () => {
    const pieces = fc.constantFrom(
      ...[
        "--- a/a\n",
        "+++ b/a\n",
        "@@ -1,2 +1,2 @@\n",
        "@@\n",
        "@@ x\n",
        " x\n",
        "-x\n",
        "+x\n",
        "\n",
      ],
      ...["*** Begin Patch\n", "*** End Patch\n", "*** Update File: a\n", "*** Add File: b\n", "x"],
      ...["*** Delete File: a\n", "*** Move to: b\n", "*** End of File\n", "diff --git a/a b/a\n"],
      ...[
        "\\ No newline at end of file\n",
        "rename from a\n",
        "rename to b\n",
        "\r\n",
        "-- \n",
        "/dev/null",
      ],
      ...[
        "new file mode 100644\n",
        "deleted file mode 100644\n",
        '"a\\1',
        "@@@ -1 -1 +1 @@@\n",
        "\0",
      ],
    );
    const garbage = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(garbage, async (patch) => {
        const runtime = openRuntime(make({ a: "one\ntwo\n" }), applyPatch);
        const outcome = await applyPatch
          .execute({ patch }, runtime)
          .catch((error: unknown) => error);
        if (!ToolError.isInstance(outcome)) {
          // It happened to be a patch; nothing but what it says is touched.
          expect(outcome).toHaveProperty("files");
          return;
        }
        expect(decoder.decode(await runtime.fs.read("a"))).toBe("one\ntwo\n");
        expect(await runtime.fs.list(".")).toHaveLength(1);
      }),
      { numRuns: 200 },
    );
  });

  it("refuses or applies a patch with a fault in it, but nothing in between", async () => {
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(), fc.nat(), async (change, at, how) => {
        const lines = toUnified(change).split("\n");
        const line = at % lines.length;
        const faults = [
          [],
          [""],
          ["+stray"],
          ["-stray"],
          [" stray"],
          [lines[line] as string, lines[line] as string],
        ];
        lines.splice(line, 1, ...(faults[how % faults.length] as string[]));
        const result = await apply(toText(change.before), lines.join("\n"));
        if (typeof result !== "string") return;
        // Whatever it is taken for, lines that it does not name stay, in their order.
        const named = new Set(lines.map((text) => text.slice(1)));
        const others = (text: string): string[] =>
          text.split("\n").filter((each) => !named.has(each));
        expect(others(result)).toEqual(others(toText(change.before)));
      }),
      { numRuns: 60 },
    );
  });
});

describe("apply_patch beside git", () => {
  const [, make] = computers[0] as (typeof computers)[number];
  const path = (name: string): string => join(directory, name);

  const diff = (before: string, after: string, ...options: string[]): string => {
    writeFileSync(path("before"), before);
    writeFileSync(path("after"), after);
    const names = ["before", "after"];
    const command = ["diff", "--no-index", "--no-ext-diff", "--no-color", ...options, ...names];
    const { stdout } = spawnSync("git", command, { cwd: directory, encoding: "utf8" });
    return stdout.replaceAll("a/before", "a/a").replaceAll("b/after", "b/a");
  };

  // Few different lines, so that hunks fit at many places.
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "", "-- x", "++ y", "\ttab", "d\r", "é"), {
      maxLength: 25,
    })
    .chain((lines) => fc.boolean().map((isEnded) => lines.join("\n") + (isEnded ? "\n" : "")));

  it("makes what git's diffs say, with as much context as they have", async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.constantFrom("-U0", "-U1", "-U3", "--patience"),
        async (before, after, option) => {
          const patch = diff(before, after, option);
          // Without context nothing shows that an ending is meant to differ from those around it.
          if (patch === "" || (option === "-U0" && before.includes("\r"))) return;
          const runtime = openRuntime(make({ a: before }), applyPatch);
          await applyPatch.execute({ patch }, runtime);
          expect(decoder.decode(await runtime.fs.read("a"))).toBe(after);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("makes of several files what git apply makes of them", async () => {
    const repository = mkdtempSync(join(directory, "repository-"));
    const git = (...args: string[]): string =>
      execFileSync("git", ["-C", repository, "-c", "user.name=n", "-c", "user.email=e", ...args], {
        encoding: "utf8",
      });
    const before = {
      "keep.txt": "1\n2\n3\n",
      "moved here.txt": "a\nb\nc\nd\ne\nf\n",
      "gone.txt": "x\ny",
      "ünï.txt": "u\n",
    };
    git("init", "-q");
    for (const [name, content] of Object.entries(before)) {
      writeFileSync(join(repository, name), content);
    }
    git("add", "-A");
    git("commit", "-qm", "first");
    git("mv", "moved here.txt", "moved there.txt");
    writeFileSync(join(repository, "moved there.txt"), "a\nb\nc\nd\nE\nf\n");
    writeFileSync(join(repository, "keep.txt"), "0\n1\n3\n");
    writeFileSync(join(repository, "ünï.txt"), "ü");
    writeFileSync(join(repository, "new.txt"), "n\n");
    writeFileSync(join(repository, "empty.txt"), "");
    git("rm", "-q", "gone.txt");
    git("add", "-A");
    const patch = git("diff", "--cached", "-M");
    const runtime = openRuntime(make(before), applyPatch);
    const data = await applyPatch.execute({ patch }, runtime);
    expect(data.files).toHaveLength(6);
    const names = git("ls-files", "-z").split("\0").slice(0, -1);
    expect((await runtime.fs.list(".")).map(({ name }) => name).sort()).toEqual(names.sort());
    for (const name of names) {
      const expected = readFileSync(join(repository, name), "utf8");
      expect(decoder.decode(await runtime.fs.read(name))).toBe(expected);
    }
    git("commit", "-qm", "second");
    const mail = git("format-patch", "-1", "--stdout", "--no-renames");
    const again = openRuntime(make(before), applyPatch);
    await applyPatch.execute({ patch: mail }, again);
    expect(decoder.decode(await again.fs.read("moved there.txt"))).toBe("a\nb\nc\nd\nE\nf\n");
  });

  it("gives diffs that git apply makes the same file of", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const patch = diff(before, after);
        if (patch === "") return;
        const runtime = openRuntime(make({ a: before }), applyPatch);
        const data = await applyPatch.execute({ patch }, runtime);
        writeFileSync(path("a"), before);
        writeFileSync(path("patch"), data.files[0]?.diff ?? "");
        execFileSync("git", ["apply", "--whitespace=nowarn", "patch"], { cwd: directory });
        expect(readFileSync(path("a"), "utf8")).toBe(after);
      }),
      { numRuns: 20 },
    );
  });
});
