import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../scripts/setup/system-packages.mjs";
import { call, say } from "../agents/support/model-server.ts";
import { expectFits, expectInert, findBarriers, openPage } from "./check-page.ts";
import { hidden, markup, tricks } from "./hostile-text.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";
import { openConsole, type TestConsole } from "./open-console.ts";
import { recordSessions, runAgent, writeFiles } from "./record-sessions.ts";

// One server and one browser, used as a person would: each test goes on where the one before ended.
describe.skipIf(isMissing("chromium") || isMissing("bwrap"))(
  "the console's sessions",
  { timeout: 180_000 },
  () => {
    let server: TestConsole;
    let browser: TestBrowser;
    let page: Page;
    const complaints: string[] = [];
    const ids = new Map<string, string>();

    beforeAll(async () => {
      [server, browser] = await Promise.all([openConsole(), openBrowser()]);
      page = await openPage(browser, server, complaints);
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.goto(server.link);
      await page.getByRole("heading", { level: 1 }).waitFor();
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
    const openSession = async (name: string, query = ""): Promise<void> => {
      await open(`/sessions/${ids.get(name)}${query}`);
      await page.locator(".call, .said, .timeline-row").first().waitFor();
    };
    const button = (name: string | RegExp) =>
      page.getByRole("button", { name, ...(typeof name === "string" && { exact: true }) });
    const row = (name: string | RegExp) =>
      page.locator(".call").filter({ has: page.getByRole("button", { name }) });
    const read = (path: string): string => readFileSync(join(server.workspace, path), "utf8");

    it("begins with the commands that make a session, and shows each session by itself", async () => {
      await open("/sessions");
      await page.getByText("npx haft mcp install claude").waitFor();
      await page.getByText("npx haft call read path=README.md").waitFor();
      await recordSessions(server);
      await page.getByRole("link", { name: "Give the tax rate a name." }).waitFor();
      await page.getByRole("link", { name: "program" }).waitFor();
      const { sessions } = await server.call<{ sessions: { id: string; name: string }[] }>(
        "GET",
        "machine/sessions",
      );
      for (const { id, name } of sessions) ids.set(name, id);
      expect([...ids.keys()].sort()).toEqual(["default", "program", "review"]);
    });

    it("finds sessions by words, agent, state and failures, and keeps the filter in the address", async () => {
      const names = async (): Promise<string[]> => page.locator(".session-row a").allTextContents();
      await page.keyboard.press("/");
      await page.keyboard.type("tax rate");
      await expect.poll(names).toEqual(["Give the tax rate a name."]);
      await page.reload();
      await expect.poll(names).toEqual(["Give the tax rate a name."]);
      expect(await page.getByLabel("Search messages and calls").inputValue()).toBe("tax rate");
      await open("/sessions");
      await page.getByLabel("Agent or client").selectOption("build");
      await expect.poll(names).toEqual(["Give the tax rate a name."]);
      await open("/sessions");
      await page.getByLabel("With failed calls").check();
      await expect.poll(async () => (await names()).sort()).toEqual(["default", "program"]);
      await button("Live").click();
      await page.getByText("Nothing matches").waitFor();
      expect(page.url()).toContain("failed=yes");
      expect(page.url()).toContain("state=live");
    });

    it("shows a thread with what subagents and programs called in place", async () => {
      await openSession("review");
      await page.getByText("The tax is a number in the code.").first().waitFor();
      await row("grep toPrice").waitFor();
      const order = await page.locator(".call-name, .said-head > strong").allTextContents();
      const at = (text: string): number => order.findIndex((each) => each.startsWith(text));
      expect(at("task")).toBeLessThan(at("grep"));
      await row("grep toPrice").waitFor();
      expect(await row("grep toPrice").getAttribute("data-nested")).toBe("true");
      await row(/^task/u).getByRole("button", { name: "Hide 4 inside" }).click();
      await row("grep toPrice").waitFor({ state: "detached" });
      // The diff of a change, the rule and the isolation are there without a click.
      await page.getByText("+const taxRate = 0.19;").waitFor();
      await row(/^glob/u).getByText("allowed by default rule glob ** allow").waitFor();
      await row(/^glob/u).getByText("capability", { exact: true }).waitFor();

      await openSession("program");
      await row(/^run_code/u)
        .getByText("sandbox", { exact: true })
        .waitFor();
      expect(await row("grep toPrice").getAttribute("data-nested")).toBe("true");
      await row("read nowhere.ts").getByText("not-found").waitFor();
      await row("read nowhere.ts").locator(".call-preview").getByText("nowhere.ts").waitFor();

      await openSession("default");
      await row(/^bash/u).getByText("result cut, whole output kept").waitFor();
      await row(/^bash/u).getByRole("button", { name: /^bash/u }).click();
      await button(/^Show it \(\d/u).click();
      const whole = page.getByRole("region", { name: "Whole output" }).last();
      await expect.poll(() => whole.textContent()).toContain("\n1000\n");
    });

    it("filters a thread by tool, failures, changes and text", async () => {
      const calls = async (): Promise<string[]> =>
        (await page.locator(".call-name strong").allTextContents()).sort();
      await openSession("review");
      await button("Changes").click();
      await expect.poll(calls).toEqual(["edit", "edit"]);
      await button("All").click();
      await page.getByLabel("Tool", { exact: true }).selectOption("grep");
      await expect.poll(calls).toEqual(["grep"]);
      await page.reload();
      await expect.poll(calls).toEqual(["grep"]);
      await openSession("review", "?q=has a name now");
      await page.getByText("The tax rate has a name now.").waitFor();
      await openSession("default", "?show=failed");
      await expect.poll(calls).toEqual(["read"]);
    });

    it("shows the timeline, and opens a call from it", async () => {
      await openSession("review", "?tab=timeline");
      await expect.poll(() => page.locator(".timeline-row").count()).toBe(7);
      await button(/^grep toPrice .*, done; started .* after the start/u).click();
      await page.getByRole("heading", { name: "Arguments" }).waitFor();
      expect(page.url()).toMatch(/call=\d+/u);
      await page.reload();
      await page.getByRole("heading", { name: "Arguments" }).waitFor();
    });

    it("undoes and redoes one call after a confirmation in place", async () => {
      const named = read("src/price.ts");
      await openSession("default");
      await row(/^edit/u).getByRole("button", { name: "Undo…" }).click();
      const question = page.getByRole("group", { name: "Undo this call" });
      await question.getByText("+two").waitFor();
      expect(read("notes.txt")).toBe("one\nTWO\nthree\n");
      await page.keyboard.press("Escape");
      await question.waitFor({ state: "detached" });
      await page.keyboard.press("Enter");
      await button("Undo these changes").click();
      await row(/^undo_edit/u).waitFor();
      expect(read("notes.txt")).toBe("one\ntwo\nthree\n");
      await row(/^undo_edit/u)
        .getByRole("button", { name: "Redo…" })
        .click();
      await button("Redo these changes").click();
      await expect.poll(() => read("notes.txt")).toBe("one\nTWO\nthree\n");

      // The line that the call wrote was changed since.
      await server.haft("call", "read", "path=notes.txt");
      await server.haft(
        ...["call", "edit", "path=notes.txt", "old_string=TWO", "new_string=2", "--yes"],
      );
      await row(/^edit .*"2"/u).waitFor();
      await row(/^edit .*"TWO"/u)
        .first()
        .getByRole("button", { name: "Undo…" })
        .click();
      await page.getByText(/line 2 changed since/u).waitFor();
      await page.getByText("Later calls that changed the same file:").waitFor();
      complaints.length = 0; // The browser reports the refusal.
      await button("Close").click();
      expect(read("notes.txt")).toBe("one\n2\nthree\n");
      expect(read("src/price.ts")).toBe(named);
    });

    it("shows the calls of a session that runs by themselves", async () => {
      const { promise: permission, resolve: permit } = Promise.withResolvers<void>();
      const running = runAgent(
        server,
        { session: "live", task: "Look around." },
        async (_request, index) => {
          if (index === 0) return call("read", { path: "notes.txt" });
          if (index === 1) {
            await permission;
            return call("read", { path: "src/order.ts" });
          }
          return say("That is all.");
        },
      );
      await open("/sessions?state=live");
      await page.getByRole("link", { name: "Look around." }).click();
      await row("read notes.txt").waitFor();
      await page.getByText("live", { exact: true }).waitFor();
      permit();
      await row("read src/order.ts").waitFor();
      await page.getByText("That is all.").waitFor();
      await page.getByText("ended", { exact: true }).waitFor();
      await running;
    });

    it("forks a session at a message", async () => {
      await openSession("review");
      await page.locator(".said").first().getByRole("button", { name: "Fork here" }).click();
      await page.getByLabel("Name", { exact: true }).fill("again");
      await button("Create the fork").click();
      await page.getByText("npx haft agent --session again").waitFor();
      await page.getByRole("link", { name: "again" }).click();
      await page.getByText("Forked from").waitFor();
      await page.getByText("Give the tax rate a name.").nth(1).waitFor();
      expect(await page.locator(".call").count()).toBe(0);
    });

    it("shows hostile names, arguments, outputs and 5 MB of JSON as inert text", async () => {
      const json = JSON.stringify(
        Array.from({ length: 80_000 }, (_, id) => ({ id, text: "x".repeat(40) })),
      );
      writeFiles(server, {
        "hostile.txt": `${markup}${tricks}\n`,
        "long.txt": `${"w".repeat(20_000)}\n`,
        "calls.json": JSON.stringify([
          { id: `${markup}${tricks}`, name: "read", arguments: { path: "hostile.txt" } },
          { id: "2", name: "read", arguments: { path: "long.txt" } },
          { id: "3", name: "read", arguments: { path: `${markup}${tricks}` } },
          { id: "4", name: "write", arguments: { path: "big.json", content: json } },
          {
            id: "5",
            name: "write",
            arguments: {
              path: `<img src=x onerror=alert(1)>${tricks.replaceAll("\r", "")}.txt`,
              content: markup,
            },
          },
        ]),
      });
      await server.haft("batch", "calls.json", "--yes", "--session", "hostile");
      await open("/sessions");
      await page.getByRole("link", { name: "hostile" }).click();
      await expect.poll(() => page.locator(".call").count()).toBe(5);
      await expectInert(page);
      for (const name of await page.locator(".call-name").all()) {
        // Not with the mouse: rows move while others above them close.
        await name.press("Enter");
        await page.getByRole("heading", { name: "Arguments" }).waitFor();
        await expectInert(page);
        await name.press("Enter");
        await page.getByRole("heading", { name: "Arguments" }).waitFor({ state: "detached" });
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        1280,
      );
      await page.getByRole("tab", { name: "Timeline" }).click();
      await page.locator(".timeline-bar").first().waitFor();
      await expectInert(page);
      const titles = await page
        .locator("main [title]")
        .evaluateAll((all) => all.map((each) => each.getAttribute("title") ?? ""));
      expect(titles.filter((title) => hidden.test(title))).toEqual([]);
    });

    it("exports a session as a file that runs and loads nothing", async () => {
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name: "Export HTML" }).click();
      const file = (await download).suggestedFilename();
      expect(file).toBe("hostile.html");
      const path = await (await download).path();
      const alone = await browser.context.newPage();
      const asked: string[] = [];
      alone.on("request", (request) => asked.push(request.url()));
      alone.on("dialog", (dialog) => {
        complaints.push(`dialog ${dialog.message()}`);
        void dialog.dismiss();
      });
      const html = readFileSync(path, "utf8");
      writeFiles(server, { "export.html": html });
      await alone.goto(`file://${join(server.workspace, "export.html")}`);
      await alone.getByRole("heading", { level: 1 }).waitFor();
      for (const fold of await alone.locator("summary").all()) await fold.click();
      expect(await alone.locator("body").textContent()).toContain("<script>document.title='pwned'");
      expect(await alone.locator("script, img, iframe, object, embed, base, form").count()).toBe(0);
      expect(await alone.title()).not.toContain("pwned");
      expect(asked.filter((url) => !url.startsWith("file://"))).toEqual([]);
      await alone.close();
    });

    // On a machine that starves, a key now and then comes while the focus still moves.
    it("is used with the keyboard alone", { retry: 2 }, async () => {
      await open("/");
      await page.keyboard.press("g");
      await page.keyboard.press("s");
      // Each key moves the focus by one.
      const moveTo = async (elements: Locator, text: string): Promise<void> => {
        await elements.filter({ hasText: text }).first().waitFor();
        const at = (await elements.allTextContents()).findIndex((each) => each.includes(text));
        for (let index = 0; index <= at; index++) {
          await page.keyboard.press("j");
          await expect
            .poll(() => elements.nth(index).evaluate((each) => each.matches(":focus-within")))
            .toBe(true);
        }
      };
      // By the name: its fork has the same title.
      await moveTo(page.locator(".session-row"), "review in");
      await page.keyboard.press("Enter");
      await moveTo(page.locator(".call-name"), "glob");
      await page
        .locator('.call[data-current="true"]')
        .getByText("glob", { exact: true })
        .first()
        .waitFor();
      await page.keyboard.press("ArrowUp");
      await page.locator(".call-name:focus").getByText("read", { exact: true }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.locator(".call-name:focus").getByText("glob").waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Arguments" }).waitFor();
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.closest(".call") !== null)).toBe(
        true,
      );
      await page.keyboard.press("k");
      await page.locator(".call-name:focus").getByText("read", { exact: true }).waitFor();
      await page.keyboard.press("Enter");
      await expect.poll(() => page.getByRole("heading", { name: "Arguments" }).count()).toBe(2);
    });

    it("has no serious findings of axe, light and dark, and fits a phone", async () => {
      for (const [path, first] of [
        ["/sessions", ".session-row"],
        [`/sessions/${ids.get("review")}`, ".call"],
        [`/sessions/${ids.get("review")}?tab=timeline`, ".timeline-row"],
      ] as const) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await open(path);
        await page.locator(first).first().waitFor();
        if (first === ".call") await page.locator(".call-name").first().click();
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          expect(await findBarriers(page), `${path}, ${colorScheme}`).toEqual([]);
        }
        await page.setViewportSize({ width: 390, height: 800 });
        await page.locator(first).first().waitFor();
        await expectFits(page);
        expect(await findBarriers(page), `${path}, narrow`).toEqual([]);
      }
    });
  },
);
