import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Threads } from "@haft/agent/threads";
import type { CallRecord } from "@haft/core";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../../test-support/run-haft.ts";
import { answered, ended, said, talk } from "./test-support/talk.ts";
import { writeHtml } from "./write-html.ts";

const hostile = [
  "</pre></details></section></body><script>alert(1)</script>",
  `<img src="x" onerror='alert(1)'>`,
  "<style>body{background:url(https://example.com/a)}</style>",
  "&lt;script&gt; <!-- ]]> <svg/onload=alert(1)> javascript:alert(1) \u001b[2J \u202e",
].join("\n");

// Everything that the page itself is made of. What is left may not contain a single bracket.
const markup =
  /<!doctype html>|<html lang="en">|<meta charset="utf-8">|<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">|<meta name="viewport" content="width=device-width">|<style>[^<>]*<\/style>|<\/?(?:html|head|title|body|h1|h2|h3|p|section|pre|details|summary|small|time|span)(?: class="[a-z-]+")?>/gu;

function textOf(page: string): string {
  return page.replaceAll(markup, "");
}

function makeCall(session: string, callId: string, data: unknown): CallRecord {
  return {
    session,
    callId,
    name: hostile,
    tool: "edit",
    arguments: { path: hostile },
    dialect: "portable",
    startedAt: 1,
    state: "done",
    result: { type: "output", data, metadata: { duration_ms: 1 } },
  } as CallRecord;
}

/** Threads of which only what an export reads is there. */
function makeThreads(calls: Readonly<Record<string, readonly CallRecord[]>>, parents: object) {
  const known = new Map(Object.entries(parents));
  return {
    find: (id: string) =>
      id in calls ? { id, title: hostile, workspace: hostile, parent: known.get(id) } : undefined,
    entries: () => [{ at: 1, time: 1, entry: said(hostile) }],
    calls: (id: string) => calls[id] ?? [],
  } as unknown as Threads;
}

describe("haft sessions export --html", () => {
  it("writes one page that loads nothing, with outputs and diffs folded", async () => {
    const workspace = createTestWorkspace({ "a.txt": "one\n" });
    const { haft, directory } = workspace;
    await talk(workspace, { name: "work" }, [said("Fix the login"), answered("I look.", "c1")]);
    const edit = { path: "a.txt", old_string: "one", new_string: "two" };
    await haft(["batch", "-", "--session", "work", "--yes"], {
      input: JSON.stringify([{ id: "c1", name: "edit", arguments: edit }]),
    });
    await talk(workspace, { name: "work" }, [ended]);
    const { exitCode, stderr } = await haft(["sessions", "export", "work", "--html", "work.html"]);
    expect([exitCode, stderr]).toEqual([0, "haft: exported work to work.html\n"]);
    const page = readFileSync(join(directory, "work.html"), "utf8");
    expect(page).toContain("<title>Fix the login</title>");
    expect(page).toContain('<span class="removed">-one</span>\n<span class="added">+two</span>');
    expect(page).toMatch(/<details><summary>output<\/summary><pre>/u);
    expect(page).not.toMatch(/<details open|<script|<link|<img|<iframe|src=|href=|url\(/u);
    expect(textOf(page)).not.toMatch(/[<>]/u);
  });

  it("escapes whatever people, models and tools wrote", () => {
    const data = { diff: `+${hostile}\n-${hostile}`, output: hostile, thread: hostile };
    const threads = makeThreads({ top: [makeCall("top", "c1", data)] }, {});
    const page = [...writeHtml({ id: "top", threads })].join("");
    expect(page).toContain("&#60;script&#62;alert(1)&#60;/script&#62;");
    const text = textOf(page);
    for (const sign of ["<", ">", '"', "'", "\u001b", "\u202e"]) expect(text).not.toContain(sign);
    // Entities that were written as text stay text.
    expect(text).toContain("&#38;lt;script&#38;gt;");
  });

  it("shows the session of a subagent once, in the call that started it, and no other session", () => {
    const below = makeCall("below", "c2", { output: "found below" });
    const calls = {
      top: [
        makeCall("top", "c1", { thread: "below" }),
        makeCall("top", "c3", { thread: "below" }),
        makeCall("top", "c4", { thread: "stranger" }),
      ],
      below: [below, makeCall("below", "c5", { thread: "top" })],
      stranger: [makeCall("stranger", "c6", { output: "found elsewhere" })],
    };
    const threads = makeThreads(calls, { below: "top", top: "below", stranger: "another" });
    const page = [...writeHtml({ id: "top", threads })].join("");
    expect(page.split("found below")).toHaveLength(2);
    expect(page).not.toContain("found elsewhere");
    const [before = "", after = ""] = page.split("<details><summary>session below</summary>");
    expect(before.split("<section").length - before.split("</section>").length).toBe(1);
    expect(after).toContain("found below");
    for (const tag of ["section", "details", "pre", "span", "summary"]) {
      expect(page.split(`<${tag}`).length).toBe(page.split(`</${tag}>`).length);
    }
  });

  it("puts the calls of a program below the program's", () => {
    const program = makeCall("top", "c1", { result: 1 });
    const inner = makeCall("top", "c2", { output: "from inside" });
    const { metadata } = inner.result;
    const made = {
      ...inner,
      result: { ...inner.result, metadata: { ...metadata, parent_id: "c1" } },
    };
    const later = makeCall("top", "c3", {});
    const threads = makeThreads({ top: [made, program, later] as CallRecord[] }, {});
    const page = [...writeHtml({ id: "top", threads })].join("");
    expect([...page.matchAll(/<section class="(call|inner)">/gu)].map(([, kind]) => kind)).toEqual([
      ...["call", "inner", "call"],
    ]);
    expect(textOf(page)).not.toMatch(/[<>]/u);
  });

  it("refuses another format or file beside it", async () => {
    const { haft } = createTestWorkspace();
    const { exitCode, stderr } = await haft([
      ...["sessions", "export", "default", "--html", "a.html", "--format", "json"],
    ]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Leave --format and --output")]);
  });
});
