import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createMemoryComputer } from "@haft/computer/memory";
import { compileRequirements, type JsonValue, type ToolError } from "@haft/contract";
import type { CallRecord, SessionOptions } from "@haft/core";
import { createScriptedHost, parseRule } from "@haft/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import {
  type OpenSession,
  openProgramSession,
  openPrograms,
} from "./test-support/open-programs.ts";
import { realmPool } from "./test-support/realm-pool.ts";

interface Request {
  readonly name: string;
  readonly arguments: Readonly<Record<string, JsonValue>>;
}

const files = { "a.txt": "one\ntwo\n", "src/b.ts": "const b = 1;\n", ".env": "KEY=value\n" };
const rules = [
  "* * allow",
  "fs.write src/** ask",
  "edit a.txt deny",
  "read src/** allow",
  "delete_file ** ask",
].map(parseRule);

const named = ["a.txt", "src/b.ts", "src/new.ts", "../outside", "no/such.txt"];
const path = fc.constantFrom(...named);
// A change of a file with secrets can't be undone, by a program as little as by a direct call.
const readablePaths = [...named, ".env"];
const text = fc.constantFrom("one", "two\n", "const", "");
const request: fc.Arbitrary<Request> = fc.oneof(
  fc.record({
    name: fc.constant("read"),
    arguments: fc.record({ path: fc.constantFrom(...readablePaths) }),
  }),
  fc.record({ name: fc.constant("write"), arguments: fc.record({ path, content: text }) }),
  fc.record({
    name: fc.constant("edit"),
    arguments: fc.record({ path, old_string: text, new_string: text }),
  }),
  fc.record({ name: fc.constant("delete_file"), arguments: fc.record({ path }) }),
  fc.record({ name: fc.constant("glob"), arguments: fc.record({ pattern: fc.constant("**/*") }) }),
  fc.record({ name: fc.constantFrom("read", "nothing", "Read"), arguments: fc.constant({}) }),
);

const options = (): Partial<SessionOptions> => ({
  rules,
  // The answers depend on the call alone, so that both sessions get the same.
  host: createScriptedHost({
    ask: ({ arguments: args }) => ({
      answer: JSON.stringify(args).includes("new.ts") ? "reject" : "once",
    }),
  }),
});

/** A session and the contents of its files. */
interface Opened extends OpenSession {
  contents(): Promise<Record<string, unknown>>;
}

function openOnDisk(): Opened {
  const opened = openPrograms(files, options());
  return { ...opened, contents: async () => filesIn(opened.root) };
}

function openInMemory(): Opened {
  const computer = createMemoryComputer({ files, root: "/base/workspace" });
  const reader = computer.openFiles({
    callId: "",
    grant: compileRequirements({ fs: { read: ["{workspace}/**"] } }, computer.variables),
    journal: { record: () => {}, latest: async () => [] },
    changed: () => {},
    isDenied: () => false,
    isNamed: () => true,
    signal: new AbortController().signal,
  });
  const contents = async (): Promise<Record<string, string>> => {
    const everything = readablePaths.map(async (path) => {
      const bytes = await reader.read(path).catch((error: ToolError) => error.code);
      return [path, typeof bytes === "string" ? bytes : Buffer.from(bytes).toString()] as const;
    });
    return Object.fromEntries(await Promise.all(everything));
  };
  return { ...openProgramSession(computer, realmPool, options()), contents };
}

function filesIn(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.sort().map((one) => [one.slice(root.length), readFileSync(one, "utf8")]),
  );
}

/** A record without what differs between two sessions. */
function comparable(
  { name, tool, state, result, arguments: args }: CallRecord,
  root: string,
): unknown {
  const { duration_ms, parent_id, ...metadata } = result.metadata;
  const told = result.type === "output" ? result.data : result.error_text;
  return JSON.parse(
    JSON.stringify({ name, tool, state, args, told, metadata }).replaceAll(dirname(root), "BASE"),
  );
}

async function compare(requests: readonly Request[], open: () => Opened): Promise<void> {
  const direct = open();
  for (const each of requests) await direct.session.call(each);
  const program = open();
  const before = await program.contents();
  const result = await program.run(`
    for (const { name, arguments: args } of ${JSON.stringify(requests)}) {
      await tools[name](args).catch(() => {});
    }`);
  expect(result.type).toBe("output");
  const expected = [...direct.recorder.list(direct.session.id)];
  const rows = [...program.recorder.list(program.session.id)];
  const own = rows.pop();
  expect(own?.name).toBe("run_code");
  expect(rows.map(({ result }) => result.metadata.parent_id)).toEqual(rows.map(() => own?.callId));
  expect(rows.map((row) => comparable(row, program.root))).toEqual(
    expected.map((row) => comparable(row, direct.root)),
  );
  expect(await program.contents()).toEqual(await direct.contents());
  if (result.metadata.track_files === undefined) return;
  expect(await program.session.call({ name: "undo_edit" })).toMatchObject({ type: "output" });
  expect(await program.contents()).toEqual(before);
}

const requests = fc.array(request, { minLength: 1, maxLength: 12 });

describe("calls of a program", () => {
  it("have the verdicts, records and effects of the same calls made directly, and one undo", async () => {
    await fc.assert(
      fc.asyncProperty(requests, (each) => compare(each, openInMemory)),
      { numRuns: 500, seed: 19 },
    );
  });

  it.skipIf(isMissing("bwrap"))("have them on disk and in a process too", async () => {
    await fc.assert(
      fc.asyncProperty(requests, (each) => compare(each, openOnDisk)),
      { numRuns: 10, seed: 20 },
    );
  });
});
