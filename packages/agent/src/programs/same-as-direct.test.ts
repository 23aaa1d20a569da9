import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonValue } from "@haft/contract";
import type { CallRecord } from "@haft/core";
import { createScriptedHost, parseRule } from "@haft/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { type OpenPrograms, openPrograms } from "./test-support/open-programs.ts";

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
const readable = fc.constantFrom(...named, ".env");
const text = fc.constantFrom("one", "two\n", "const", "");
const request: fc.Arbitrary<Request> = fc.oneof(
  fc.record({ name: fc.constant("read"), arguments: fc.record({ path: readable }) }),
  fc.record({ name: fc.constant("write"), arguments: fc.record({ path, content: text }) }),
  fc.record({
    name: fc.constant("edit"),
    arguments: fc.record({ path, old_string: text, new_string: text }),
  }),
  fc.record({ name: fc.constant("delete_file"), arguments: fc.record({ path }) }),
  fc.record({ name: fc.constant("glob"), arguments: fc.record({ pattern: fc.constant("**/*") }) }),
  fc.record({ name: fc.constantFrom("read", "nothing", "Read"), arguments: fc.constant({}) }),
);

const open = (): OpenPrograms => {
  // The answers depend on the call alone, so that both sessions get the same.
  const host = createScriptedHost({
    ask: ({ arguments: args }) => ({
      answer: JSON.stringify(args).includes("new.ts") ? "reject" : "once",
    }),
  });
  return openPrograms(files, { rules, host });
};

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

describe.skipIf(isMissing("bwrap"))("calls of a program", () => {
  it("have the verdicts, records and effects of the same calls made directly, and one undo", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), async (requests) => {
        const direct = open();
        for (const each of requests) await direct.session.call(each);
        const program = open();
        const before = filesIn(program.root);
        const result = await program.run(`
          for (const { name, arguments: args } of ${JSON.stringify(requests)}) {
            await tools[name](args).catch(() => {});
          }`);
        expect(result.type).toBe("output");
        const expected = [...direct.recorder.list(direct.session.id)];
        const rows = [...program.recorder.list(program.session.id)];
        const own = rows.pop();
        expect(own?.name).toBe("run_code");
        expect(rows.map(({ result }) => result.metadata.parent_id)).toEqual(
          rows.map(() => own?.callId),
        );
        expect(rows.map((row) => comparable(row, program.root))).toEqual(
          expected.map((row) => comparable(row, direct.root)),
        );
        const after = filesIn(program.root);
        expect(after).toEqual(filesIn(direct.root));
        if (result.metadata.track_files === undefined) return;
        expect(await program.session.call({ name: "undo_edit" })).toMatchObject({ type: "output" });
        expect(filesIn(program.root)).toEqual(before);
      }),
      { numRuns: 40, seed: 19 },
    );
  });
});
