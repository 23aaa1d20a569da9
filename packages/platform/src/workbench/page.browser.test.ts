import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool, type Tool } from "@haft/contract";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
// For the types alone: so the page's script is checked together with the tests.
import type {} from "../../assets/workbench.js";
import { openBrowser, type TestBrowser } from "./test-support/open-browser.ts";
import { openWorkbench, type TestWorkbench, token } from "./test-support/open-workbench.ts";
import { createWaitingTool } from "./test-support/waiting-tool.ts";

const echo = defineTool({
  id: "echo",
  description: "Gives back what it gets.",
  parameters: {
    type: "object",
    properties: {
      loud: { type: "boolean" },
      pace: { enum: ["fast", "slow"] },
      times: { type: "number" },
      text: { type: "string" },
      more: { type: "object" },
    },
    required: ["pace"],
  },
  requires: {},
  kind: "other",
  source: "builtin",
  execute: async (args) => ({ echoed: args }),
}) as Tool;

describe.skipIf(isMissing("chromium"))("the page", { timeout: 60_000 }, () => {
  const { tool: wait, began, stopped } = createWaitingTool();
  let browser: TestBrowser;
  let workbench: TestWorkbench;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  beforeEach(async () => {
    workbench = await openWorkbench({ tools: [wait, echo] });
    page = await browser.context.newPage();
    complaints = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
  });
  afterEach(async () => {
    await page.close();
    await workbench.close();
  });

  const open = async (): Promise<void> => {
    await page.goto(`${workbench.url}/#token=${token}`);
    await page.getByRole("navigation").getByRole("button").first().waitFor();
  };
  const choose = (name: string): Promise<void> =>
    page
      .getByRole("navigation")
      .getByRole("button", { name: new RegExp(`^${name} `, "u") })
      .click();
  const run = (): Promise<void> => page.getByRole("button", { name: "Run", exact: true }).click();
  const result = () => page.getByRole("region", { name: "Result" });
  const inWorkspace = (file: string): string => join(workbench.workspace, file);

  it("shows the tools, the workspace and what is missing, and hides the token", async () => {
    await open();
    const tools = await page.getByRole("navigation").getByRole("button").allTextContents();
    expect(tools.join("\n")).toMatch(/read.*Reads a text file, shows an image/);
    expect(tools.join("\n")).toContain("write");
    expect(await page.getByRole("banner").textContent()).toContain(workbench.workspace);
    expect(await page.getByRole("banner").textContent()).toContain("1.2.3");
    const missing = page.getByRole("region", { name: "Not here yet" });
    expect(await missing.textContent()).toContain("MCP over HTTP at /mcp");
    expect(page.url()).toBe(`${workbench.url}/`);
    await page.reload();
    await page.getByRole("navigation").getByRole("button").first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("reads a file", async () => {
    await writeFile(inWorkspace("poem.txt"), "roses\nare\nred\n");
    await open();
    await choose("read");
    await page.getByLabel("path").fill("poem.txt");
    await page.getByLabel("offset", { exact: false }).first().fill("2");
    await run();
    const text = result().locator("pre").first();
    await text.getByText("red").waitFor();
    expect(await text.textContent()).toContain("are");
    expect(await text.textContent()).not.toContain("roses");
    expect(await result().textContent()).toMatch(/\d+ ms.*isolation: capability/);
    const recent = page.getByRole("region", { name: "Recent calls" }).getByRole("listitem");
    await recent.first().waitFor();
    expect(await recent.allTextContents()).toEqual([expect.stringContaining("poem.txt")]);
    expect(complaints).toEqual([]);
  });

  it("shows markup as text and deceptive characters as their codes", async () => {
    const content = "<img src=x onerror=alert(1)>\u202edrow\u200b\n";
    await writeFile(inWorkspace("trap.txt"), content);
    await open();
    await choose("read");
    await page.getByLabel("path").fill("trap.txt");
    await run();
    const text = result().locator("pre").first();
    await text.waitFor();
    expect(await text.textContent()).toContain(
      "<img src=x onerror=alert(1)>\\u{202e}drow\\u{200b}",
    );
    expect(await text.locator(".escaped").allTextContents()).toEqual(["\\u{202e}", "\\u{200b}"]);
    expect(await page.locator("img").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("writes what was approved, whatever the form says by then", async () => {
    await open();
    await choose("write");
    await page.getByLabel("path").fill("note.txt");
    await page.getByLabel("content").fill("first line\nsecond line\n");
    await run();
    await page.getByRole("button", { name: "Approve and run" }).waitFor();
    expect(await result().textContent()).toContain("first line\nsecond line");
    await expect(readFile(inWorkspace("note.txt"))).rejects.toThrow("ENOENT");
    await page.getByLabel("content").fill("something else");
    await page.getByRole("button", { name: "Approve and run" }).click();
    await result().getByText("write is done").waitFor();
    expect(await result().textContent()).toContain(`changed: ${inWorkspace("note.txt")}`);
    expect(await readFile(inWorkspace("note.txt"), "utf8")).toBe("first line\nsecond line\n");
    expect(complaints).toEqual([]);
  });

  it("runs nothing that was declined", async () => {
    await open();
    await choose("write");
    await page.getByLabel("path").fill("note.txt");
    await run();
    await page.getByRole("button", { name: "Don't run" }).click();
    await result().getByText("write was not run.").waitFor();
    await expect(readFile(inWorkspace("note.txt"))).rejects.toThrow("ENOENT");
  });

  it("shows an error with its code", async () => {
    await open();
    await choose("read");
    await page.getByLabel("path").fill("missing.txt");
    await page.getByLabel("path").press("Control+Enter");
    await result().locator(".problem").waitFor();
    expect(await result().locator(".problem .tag").textContent()).toBe("not-found");
    expect(await result().locator(".problem").textContent()).toContain("missing.txt");
    expect(complaints).toEqual([]);
  });

  it("cancels a call on the server too", async () => {
    await open();
    await choose("wait");
    expect(await page.getByRole("button", { name: "Cancel" }).isVisible()).toBe(false);
    await run();
    await page.getByRole("button", { name: "Approve and run" }).click();
    await began;
    expect(await page.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Cancel" }).click();
    await result().getByText("wait was cancelled.").waitFor();
    await stopped;
    expect(await page.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(false);
    expect(await page.getByRole("button", { name: "Cancel" }).isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it("takes arguments as JSON, back and forth", async () => {
    await writeFile(inWorkspace("poem.txt"), "roses\nare\nred\n");
    await open();
    await choose("read");
    await page.getByLabel("path").fill("poem.txt");
    const toggle = page.getByRole("switch", { name: "Edit as JSON" });
    await toggle.check();
    const json = page.getByLabel("Arguments as JSON");
    expect(JSON.parse(await json.inputValue())).toEqual({ path: "poem.txt" });
    await json.fill('{ "path": "poem.txt", "limit": 1 }');
    await toggle.uncheck();
    expect(await page.getByLabel("limit", { exact: false }).first().inputValue()).toBe("1");
    await toggle.check();
    for (const unfit of ["{", "[]", '{ "path": "poem.txt", "colour": "red" }']) {
      await json.fill(unfit);
      await toggle.click();
      await page.getByRole("alert").waitFor();
      expect(await toggle.isChecked()).toBe(true);
    }
    // What the form has no place for can still be sent.
    await run();
    await result().locator(".problem").getByText("invalid-arguments").waitFor();
    expect(complaints).toEqual([]);
  });

  it("sends nothing that is not JSON", async () => {
    await open();
    await choose("todo");
    await page.getByLabel("todos").fill("[{");
    await run();
    expect(
      await page
        .getByLabel("todos")
        .evaluate((control) => (control as HTMLTextAreaElement).validationMessage),
    ).toMatch(/^This is not JSON/);
    expect(await result().isVisible()).toBe(false);
    await page.getByLabel("todos").fill('[{ "content": "sweep", "status": "pending" }]');
    await run();
    await result().locator("pre").getByText('"content": "sweep"').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("makes a field for every kind of argument", async () => {
    await open();
    await choose("echo");
    await page.getByLabel("loud").check();
    await page.getByLabel("pace").selectOption("slow");
    await page.getByLabel("times").fill("2.5");
    await page.getByLabel("text").fill("two\nlines");
    await page.getByLabel("more").fill('{ "deep": [1, null] }');
    await run();
    await page.getByRole("button", { name: "Approve and run" }).click();
    await result().getByText("echo is done").waitFor();
    expect(JSON.parse((await result().locator("pre").first().textContent()) ?? "")).toEqual({
      echoed: {
        loud: true,
        pace: "slow",
        times: 2.5,
        text: "two\nlines",
        more: { deep: [1, null] },
      },
    });
    await choose("read");
    await choose("echo");
    expect(await page.getByLabel("text").inputValue()).toBe("two\nlines");
    expect(complaints).toEqual([]);
  });

  it("asks for the token where it has none, and takes the whole link", async () => {
    await page.goto(workbench.url);
    await page.getByLabel("Link or token").fill("wrong");
    expect(await page.getByRole("main").textContent()).toContain("npm start");
    expect(complaints).toEqual([]);
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByText("The token was not accepted.").waitFor();
    await page.getByLabel("Link or token").fill(`${workbench.url}/#token=${token}`);
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByRole("navigation").getByRole("button").first().waitFor();
    expect(await page.getByLabel("Link or token").isVisible()).toBe(false);
  });

  it("says so when the workbench is gone", async () => {
    await open();
    await choose("read");
    await page.getByLabel("path").fill(".");
    await workbench.close();
    await run();
    await page.getByText("The workbench does not answer. Is it still running?").waitFor();
  });

  it("labels every control and fits a phone", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open();
    for (const name of ["read", "write", "todo", "echo"]) {
      await choose(name);
      const unlabelled = await page
        .locator("input, select, textarea")
        .evaluateAll((controls) =>
          controls
            .filter((control) => (control as HTMLInputElement).labels?.length !== 1)
            .map(({ id }) => id),
        );
      expect(unlabelled).toEqual([]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(360);
    }
  });
});
