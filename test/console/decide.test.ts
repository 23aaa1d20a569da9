import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../scripts/setup/system-packages.mjs";
import { call, say, startModelServer } from "../agents/support/model-server.ts";
import { expectFits, expectInert, findBarriers, openPage } from "./check-page.ts";
import { markup, tricks } from "./hostile-text.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";
import { openConsole, type TestConsole, toProject } from "./open-console.ts";

const phone = { width: 390, height: 800 };
const desk = { width: 1280, height: 800 };
const waits = ["--wait", "10m", "--json"] as const;

interface Item {
  readonly id: string;
  readonly answered_by: string | null;
  readonly call: { readonly stored_rules: readonly string[] | null } | null;
}

// One server and one browser, used as a person would: each test goes on where the one before ended.
describe.skipIf(isMissing("chromium"))("rules, cost and the inbox", { timeout: 90_000 }, () => {
  let server: TestConsole;
  let browser: TestBrowser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([openConsole(), openBrowser()]);
    page = await openPage(browser, server, complaints);
    await page.goto(server.link);
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });

  const open = async (path: string): Promise<void> => {
    await page.goto(server.url + path);
    await page.locator("main h1").first().waitFor();
  };
  const button = (name: string | RegExp) =>
    page.getByRole("button", { name, ...(typeof name === "string" && { exact: true }) });
  const expectSound = async (): Promise<void> => {
    await expectInert(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await findBarriers(page), `${page.url()}, ${colorScheme}`).toEqual([]);
    }
    await page.setViewportSize(phone);
    await expectFits(page);
    await page.setViewportSize(desk);
  };
  /** Starts a call that waits, and returns it with its item. */
  const startWaiting = async (...args: string[]) => {
    const known = new Set((await listWaiting()).map(({ id }) => id));
    const run = server.start("call", ...args, ...waits);
    for (;;) {
      const found = (await listWaiting()).find(({ id }) => !known.has(id));
      if (found !== undefined) return { id: found.id, ended: run.ended };
      const isOver = await Promise.race([run.ended, new Promise((go) => setTimeout(go, 100))]);
      if (isOver !== undefined) throw new Error(`It did not wait: ${JSON.stringify(isOver)}`);
    }
  };
  const listWaiting = async (): Promise<readonly Item[]> =>
    (await server.call<{ items: readonly Item[] }>("GET", "inbox")).items;

  it("says what to run before there is anything to show", async () => {
    await open("/rules");
    await page.getByText("npx haft agent").waitFor();
    await open("/cost");
    await page.getByText("Nothing was spent in this time").waitFor();
    await page.getByText("npx haft agent").waitFor();
    await expectSound();
  });

  it("lists rules of several origins, and shows hostile ones inert", async () => {
    mkdirSync(join(server.workspace, "docs"));
    await server.haft("permissions", "add", "bash git push ask");
    await server.haft("permissions", "add", "write docs/secret.md deny");
    await server.haft("permissions", "add", "read notes/** allow", "--scope", "session");
    const file = join(server.workspace, ".haft", "rules");
    const wicked = `write ${markup.replaceAll("\n", " ")}${tricks.replaceAll(/[\r\u2028]/gu, "")} deny`;
    writeFileSync(
      file,
      `${readFileSync(file, "utf8")}${wicked}\nwrite ${"w".repeat(8_000)} deny\n`,
    );
    for (const path of ["docs/a.md", "docs/b.md", "src/c.ts"]) {
      await server.haft("call", "write", `path=${path}`, "content=x", "--yes");
    }
    await open("/rules");
    const scope = (name: string) => page.getByRole("region", { name, exact: true });
    await scope("Workspace").getByText("docs/secret.md").waitFor();
    await scope("Workspace").getByText(file).waitFor();
    await scope("Session").getByText("notes/**").waitFor();
    await scope("Default")
      .getByText(/^Show \d+ rules$/u)
      .click();
    await scope("Default").getByText("allow", { exact: true }).first().waitFor();
    await page.getByLabel("Search rules").fill("docs/secret");
    await scope("Default").waitFor({ state: "detached" });
    expect(page.url()).toContain("q=docs");
    await page.reload();
    await scope("Workspace").getByText("docs/secret.md").waitFor();
    await page.getByLabel("Search rules").fill("");
    await scope("Default").waitFor();
    await expectSound();
  });

  it("tells what every layer decides about a call, by keyboard alone", async () => {
    await page.locator("main h1").click();
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.getByRole("tab", { name: "In effect" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByLabel("Command", { exact: true }).waitFor();
    for (let at = 0; at < 2; at++) await page.keyboard.press("Tab");
    await page.keyboard.type("git push origin main > log.txt");
    await page.getByRole("button", { name: "Check" }).focus();
    await page.keyboard.press("Enter");
    const verdict = page.getByRole("region", { name: "Verdict" });
    await verdict.getByText("bash git push ask").first().waitFor();
    await verdict.getByText("uses the network").waitFor();
    await verdict
      .getByText(/log\.txt$/u)
      .first()
      .waitFor();
    await page.reload();
    await verdict.getByText("bash git push ask").first().waitFor();
    await page.getByLabel(/^Tool/u).fill("write");
    await page.getByLabel("Arguments as JSON").fill('{"path": "docs/secret.md", "content": ""}');
    await button("Check").click();
    await verdict.getByText("write docs/secret.md deny").first().waitFor();
    await page.getByLabel("Arguments as JSON").fill("{");
    await button("Check").click();
    await page.getByText("The arguments are not valid JSON.").waitFor();
    await page.getByLabel("Arguments as JSON").fill(JSON.stringify({ path: markup + tricks }));
    await button("Check").click();
    await verdict.waitFor();
    await expectSound();
  });

  it("simulates a rule over recorded calls, and refuses what is no rule", async () => {
    await open("/rules?tab=simulate&rule=write+docs%2F**+allow");
    await page.getByText(/^Another verdict on 2 of 3 calls/u).waitFor();
    await page.getByRole("cell", { name: /docs\/b\.md/u }).waitFor();
    await expectSound();
    await page.getByLabel(/^Rule/u).fill("write docs/** perhaps");
    await button("Simulate").click();
    await page.getByRole("alert").getByText("is not a rule").waitFor();
    // The browser reports the refusal.
    complaints.length = 0;
  });

  it("answers a waiting call from a phone with an edited rule, which is stored and in force", async () => {
    writeFileSync(join(server.workspace, "docs", "plan.md"), "one\ntwo\n");
    const content = `one\n${markup}${tricks}`;
    const waiting = await startWaiting("write", "path=docs/plan.md", `content=${content}`);
    await page.setViewportSize(phone);
    await open(`/inbox/${waiting.id}`);
    await page.getByText("docs/plan.md").first().waitFor();
    await page.getByText("File", { exact: true }).waitFor();
    await expectSound();
    await page.setViewportSize(phone);
    const rule = page.getByLabel("Rules to store, one per line");
    expect(await rule.inputValue()).toBe("write docs/plan.md allow");
    for (const [wrong, why] of [
      ["write docs/** maybe", "is not a rule"],
      ["write docs/** deny", "must allow something"],
      ["write src/** allow", "would still not be allowed"],
      ["write docs/\u202e** allow", "characters that can't be seen"],
    ] as const) {
      await rule.fill(wrong);
      await button("Store and approve").click();
      await page.getByRole("alert").getByText(why).waitFor();
    }
    complaints.length = 0;
    expect(readFileSync(join(server.workspace, "docs", "plan.md"), "utf8")).toBe("one\ntwo\n");
    await rule.fill("write docs/** allow");
    await button("What would it have done in the last 30 days?").click();
    await page.getByText(/^Another verdict on 2 of 3 calls/u).waitFor();
    await page.getByLabel(/^In the workspace/u).check();
    await button("Store and approve").click();
    await page.getByText("answered", { exact: true }).waitFor();
    await page.getByText("write docs/** allow").waitFor();
    expect((await waiting.ended).code).toBe(0);
    await expectInert(page);
    await page.setViewportSize(desk);
    expect(readFileSync(join(server.workspace, ".haft", "rules"), "utf8")).toContain(
      "write docs/** allow\n",
    );
    const again = await server.start("call", "write", "path=docs/new.md", "content=x").ended;
    expect(again.code).toBe(0);
    const item = await server.call<Item>("GET", `inbox/${waiting.id}`);
    const { user_id: me } = await server.call<{ user_id: string }>("GET", "../whoami");
    expect(item).toMatchObject({
      answered_by: me,
      call: { stored_rules: ["write docs/** allow"] },
    });
  });

  it("answers several calls at once, and denies one with a reason", async () => {
    const first = await startWaiting("write", "path=src/a.ts", "content=a");
    const second = await startWaiting("write", "path=src/b.ts", "content=b");
    await open("/");
    await page.getByText("write src/b.ts").waitFor();
    await page.getByText("write src/a.ts").waitFor();
    await expectSound();
    await page.locator("main h1").click();
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
    await button("Answer yes").click();
    await page.getByText("write src/a.ts").waitFor({ state: "detached" });
    await page.getByText("write src/b.ts").waitFor({ state: "detached" });
    for (const { ended } of [first, second]) expect((await ended).code).toBe(0);
    expect(readFileSync(join(server.workspace, "src", "b.ts"), "utf8")).toBe("b\n");
    const third = await startWaiting("write", "path=src/c.ts", "content=c");
    await open(`/inbox/${third.id}`);
    await page.getByLabel("Reason for the model, if you deny it").fill("Use src/d.ts.");
    await button("Deny").click();
    await page.getByText("Use src/d.ts.").waitFor();
    expect((await third.ended).stdout).toContain("Use src/d.ts.");
  });

  it.skipIf(isMissing("bwrap"))("shows what a command that has run would change", async () => {
    const command = "printf 'new\\n' > made.txt";
    const waiting = await startWaiting("bash", `command=${command}`);
    await open(`/inbox/${waiting.id}`);
    await page.getByRole("region", { name: "Changes" }).getByText("+new").waitFor();
    await page.getByText("created", { exact: true }).waitFor();
    await expectSound();
    expect(existsSync(join(server.workspace, "made.txt"))).toBe(false);
    await button("Approve once").click();
    await page.getByText("answered", { exact: true }).waitFor();
    expect((await waiting.ended).code).toBe(0);
    expect(existsSync(join(server.workspace, "made.txt"))).toBe(true);
  });

  it("shows what an agent spent by model, agent, tool and day, and what it never used", async () => {
    const price = { "openai-compatible/scripted": { input: 1_000, output: 5_000 } };
    writeFileSync(
      join(server.workspace, ".haft", "settings.json"),
      JSON.stringify({ prices: price }),
    );
    const model = await startModelServer([call("read", { path: "docs/a.md" }), say("Done.")]);
    try {
      const options = ["--model", "openai-compatible/scripted", "--trust-project"];
      const url = ["--base-url", model.baseUrl("openai-compatible")];
      const { code, stderr } = await server.start("agent", ...options, ...url, "Read it").ended;
      expect([code, stderr]).toEqual([0, expect.any(String)]);
    } finally {
      await model.close();
    }
    await open("/");
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.getByRole("cell", { name: "openai-compatible/scripted" }).waitFor();
    await page.locator(".chart canvas").waitFor();
    await button("Money").click();
    expect(page.url()).toContain("show=money");
    await button("Agent").click();
    await page.getByRole("cell", { name: "build" }).waitFor();
    await page.reload();
    await button("build").click();
    await page.getByText("Agent is").waitFor();
    await button("Tool").click();
    await page.getByRole("cell", { name: "read", exact: true }).waitFor();
    await button("Day").click();
    await page
      .getByRole("cell", { name: new Date().toISOString().slice(0, 10) })
      .first()
      .waitFor();
    const unused = page.getByRole("region", { name: "Definitions that are never used" });
    await unused.getByRole("cell", { name: "multi_edit" }).waitFor();
    expect(await unused.getByRole("cell", { name: "write", exact: true }).count()).toBe(0);
    await expectSound();
  });

  it("offers to cancel only the invocations that can be cancelled", async () => {
    await server.push(
      toProject("slow", {
        code: "await new Promise((end) => setTimeout(end, 8_000)); return 'x';",
      }),
    );
    const id = await server.publish("slow");
    const body = { inputs: [{ input_parameters: {}, invocation_mode: "regular" }] };
    const path = `tool/${id}/version/latest/invoke`;
    const running = server.call("POST", path, body);
    await open("/invocations");
    const list = page.getByRole("region", { name: "Running now" });
    await list.getByText("slow").waitFor();
    expect(await list.getByRole("button", { name: "Cancel" }).count()).toBe(0);
    await server.call("POST", path, body, { prefer: "respond-async" });
    await list.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled.").first().waitFor();
    await running;
  });
});
