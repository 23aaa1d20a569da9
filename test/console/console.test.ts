import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../scripts/setup/system-packages.mjs";
import { expectInert, findBarriers, openPage } from "./check-page.ts";
import { markup, tricks } from "./hostile-text.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";
import { openConsole, type TestConsole, toProject } from "./open-console.ts";

const pages = {
  i: ["/", "Inbox"],
  s: ["/sessions", "Sessions"],
  t: ["/tools", "Tools"],
  y: ["/try", "Try it"],
  w: ["/workspace", "Workspace"],
  v: ["/invocations", "Invocations"],
  r: ["/rules", "Rules"],
  c: ["/cost", "Cost and context"],
  a: ["/access", "Access"],
  u: ["/audit", "Audit"],
  h: ["/health", "Health"],
} as const;

// One server and one browser, used as a person would: each test goes on where the one before ended.
describe.skipIf(isMissing("chromium"))("the console", { timeout: 180_000 }, () => {
  let server: TestConsole;
  let browser: TestBrowser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([openConsole(), openBrowser()]);
    page = await openPage(browser, server, complaints);
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
    await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
  };
  const button = (name: string | RegExp) =>
    page.getByRole("button", { name, ...(typeof name === "string" && { exact: true }) });

  it("leads from the link of the first start to a published and invoked tool", async () => {
    await page.goto(server.link);
    await button("Publish and run the sample").click();
    await page.getByRole("heading", { name: "Try it" }).waitFor();
    expect(page.url()).not.toContain("sign-in");
    await page.getByLabel("name", { exact: true }).fill("Ada");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Hello, Ada!").waitFor();
    await page.getByRole("link", { name: "Open the record of this invocation" }).click();
    await page.getByRole("heading", { name: "Output" }).waitFor();
  });

  it("shows the differences of versions, promotes one and rolls back", async () => {
    const properties = { name: { type: "string" } };
    await server.push({
      ...toProject("fail", { properties, code: 'throw new RangeError("no " + toolInput.name);' }),
      ...toProject("ask", {
        code: 'return "answered " + await ask({ question: toolInput.question ?? "Go on?", schema: { type: "boolean" } });',
      }),
      ...toProject("hostile", {
        properties: { [markup.slice(0, 40)]: { type: "string", description: markup + tricks } },
        code: "return toolInput.long ? 'w'.repeat(20000) : toolInput.text;",
      }),
    });
    const failId = await server.publish("fail");
    await server.push(
      toProject("fail", {
        properties: { ...properties, reason: { type: "string" } },
        code: 'throw new RangeError("never " + toolInput.name);',
      }),
    );
    await open(`/tools/${failId}?tab=publish`);
    await page.getByLabel("Candidate: latest stays as it is").check();
    await button("Publish").click();
    await page.getByText("Published.").waitFor();
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByText("latest is 1.0.0").waitFor();
    await page
      .getByRole("row", { name: /1\.0\.1/u })
      .getByRole("link", { name: "Differences" })
      .click();
    await page.getByText('"reason"').first().waitFor();
    await page.getByText("never").first().waitFor();
    await page.getByRole("tab", { name: "Versions" }).click();
    await button("Promote").click();
    await page.getByText("latest is 1.0.1").waitFor();
    await button("Roll back").click();
    await page.getByText("latest is 1.0.0").waitFor();
  });

  it("finds invocations, shows new ones by itself, and runs several again", async () => {
    const { tools } = await server.call<{ tools: { id: string }[] }>("GET", "tool/?name=fail");
    const invoke = (name: string): Promise<unknown> =>
      server.call("POST", `tool/${tools[0]?.id}/version/latest/invoke`, {
        inputs: [{ input_parameters: { name }, invocation_mode: "regular" }],
      });
    await invoke("apples");
    await invoke("pears");
    await open("/invocations?status=failed&not.tool=my_tool");
    await page.getByText("no apples").waitFor();
    await invoke("plums");
    await page.getByText("no plums").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("apples");
    await page.getByText("no pears").waitFor({ state: "detached" });
    expect(await page.locator("mark").first().textContent()).toBe("apples");
    expect(page.url()).toContain("q=apples");
    await page.reload();
    await page.getByText("apples").first().waitFor();
    await page.getByLabel("Search outputs and errors").fill("");
    await page.getByText("no pears").waitFor();
    await page.locator("main h1").click();
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
    // Enter presses the button that has the focus, not the row that the keys chose.
    await button("Retry…").press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Change in the input/u).fill("name");
    await dialog.getByLabel(/^New value/u).fill("figs");
    await dialog.getByRole("button", { name: "Run again" }).click();
    await expect.poll(() => dialog.textContent()).toContain("0 succeeded, 2 failed, 0 skipped");
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText("no figs").first().waitFor();
    await page
      .getByRole("link", { name: /fail 1\.0\.0 retry/u })
      .first()
      .click();
    await page.getByText("Retry of:").waitFor();
    await page.getByRole("link", { name: /^[a-f0-9]{24}$/u }).click();
    await page.getByText("Retried as:").waitFor();
  });

  it("answers a question from a window of a phone's size", async () => {
    const id = await server.publish("ask");
    const accepted = await server.call<{ invocations: { id: string }[] }>(
      ...(["POST", `tool/${id}/version/latest/invoke`] as const),
      {
        inputs: [
          { input_parameters: { question: `Pay?${markup}${tricks}` }, invocation_mode: "regular" },
        ],
      },
      { prefer: "respond-async" },
    );
    await page.setViewportSize({ width: 390, height: 800 });
    await open("/");
    await page.getByText(/^Pay\?/u).click();
    await expectInert(page);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await button("Yes").click();
    await page.getByText("answered", { exact: true }).waitFor();
    const done = `tool/invocation/${accepted.invocations[0]?.id}/status?wait_seconds=20`;
    expect(await server.call("GET", done)).toMatchObject({ result: { output: "answered true" } });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it("shows hostile texts, a long line and 5 MB of JSON as inert text", async () => {
    await server.publish("hostile", `${markup}${tricks}`);
    const run = async (input: object): Promise<void> => {
      await open(`/try?tool=hostile&input=${encodeURIComponent(JSON.stringify(input))}`);
      await button("Run").click();
      await page.getByRole("region", { name: "Result" }).getByText("succeeded").waitFor();
      await expectInert(page);
    };
    await run({ text: `${markup}${tricks}` });
    await run({ long: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      1280,
    );
    const { tools } = await server.call<{ tools: { id: string }[] }>("GET", "tool/?name=hostile");
    const rows = Array.from({ length: 80_000 }, (_, id) => ({ id, text: "x".repeat(40) }));
    await server.call("POST", `tool/${tools[0]?.id}/version/latest/invoke`, {
      inputs: [{ input_parameters: { text: "big", rows }, invocation_mode: "regular" }],
    });
    await open("/invocations?tool=hostile");
    await page
      .getByRole("link", { name: /^hostile/u })
      .first()
      .click();
    await page.getByText("[80000]").waitFor();
    await expectInert(page);
    expect(await page.locator(".json-row").count()).toBeLessThan(100);
    for (const path of ["/tools", "/invocations", "/audit"]) {
      await open(path);
      await page.getByText("hostile").or(page.getByText("tool.create")).first().waitFor();
      await expectInert(page);
    }
  });

  it("edits a role and a tool set, and asks in place before it deletes", async () => {
    await open("/access?tab=roles");
    await page.getByLabel("Name", { exact: true }).fill("support");
    await page.getByLabel("Permissions").fill("Tool:InvokeTool");
    await button("Create").click();
    await page
      .getByRole("row", { name: /support/u })
      .getByText("Tool:InvokeTool")
      .waitFor();
    await page
      .getByRole("row", { name: /support/u })
      .getByRole("button", { name: "Edit" })
      .click();
    await page.getByLabel("Permissions").fill("Tool:GetTool Tool:Fly");
    await button("Save").click();
    await page.getByText('There is no permission "Tool:Fly"').waitFor();
    complaints.length = 0; // The browser reports the refusal.
    await page.getByLabel("Permissions").fill("Tool:GetTool");
    await button("Save").click();
    await page
      .getByRole("row", { name: /support/u })
      .getByText("Tool:GetTool")
      .waitFor();
    const remove = page
      .getByRole("row", { name: /support/u })
      .getByRole("button", { name: /Del/u });
    await remove.click();
    await page.keyboard.press("Escape");
    await remove.click();
    await page.getByText("Delete support? It can't be restored.").waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /support/u }).waitFor({ state: "detached" });

    await page.getByRole("tab", { name: "Tool sets" }).click();
    await button("New set").click();
    await page.getByLabel("Name", { exact: true }).fill("care");
    await button("Add a tool").click();
    await page.getByRole("combobox", { name: /^Tool/u }).selectOption("fail");
    await page.getByLabel("Name in the set").fill("try_hard");
    await button("Create").click();
    await page.getByRole("row", { name: /care/u }).getByText("try_hard").waitFor();
    await page.getByRole("row", { name: /care/u }).getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Version").fill(">=1,<2");
    await button("Save").click();
    await page.getByRole("row", { name: /care/u }).getByText("fail >=1,<2").waitFor();
    expect(await server.call("GET", "tool/set/care")).toMatchObject({
      tools: [{ tool_name: "fail", name: "try_hard", version: ">=1,<2" }],
    });
  });

  it("calls the workspace's own tools, and changes a file only after approval", async () => {
    await open("/workspace?tool=write");
    await page.getByLabel("path", { exact: true }).fill("note.txt");
    await page.getByLabel("content", { exact: true }).fill("be kind");
    await button("Run").click();
    await button("Approve and run").waitFor();
    expect(existsSync(join(server.workspace, "note.txt"))).toBe(false);
    await button("Approve and run").click();
    await page.getByRole("region", { name: "Result" }).first().getByText("done").waitFor();
    expect(await readFile(join(server.workspace, "note.txt"), "utf8")).toBe("be kind\n");
  });

  it("opens every page by keyboard, without serious findings of axe, light and dark", async () => {
    await open("/");
    for (const [key, [path, title]] of Object.entries(pages)) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect(await findBarriers(page), `${title}, ${colorScheme}`).toEqual([]);
      }
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Search pages/u }).waitFor();
    await page.keyboard.type("invocations of fail");
    await page.getByRole("option", { name: /Invocations of fail/u }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByText("Tool is").waitFor();
  });

  it("reaches each tab of a tool and an invocation by keyboard, without serious findings", async () => {
    await open("/tools");
    await page.getByRole("link", { name: "fail", exact: true }).waitFor();
    await page.locator("main h1").click();
    while ((await page.locator('tr[data-current="true"]').getByText("fail").count()) === 0) {
      await page.keyboard.press("j");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "fail" }).waitFor();
    const tabs = await page.getByRole("tab").allTextContents();
    expect(tabs).toHaveLength(6);
    await page.getByRole("tab", { selected: true }).focus();
    for (const name of [...tabs.slice(1), tabs[0] as string]) {
      await page.keyboard.press("ArrowRight");
      await page.getByRole("tab", { selected: true, name }).waitFor();
      await page.locator("main .loading").first().waitFor({ state: "detached" });
      expect(await findBarriers(page), name).toEqual([]);
    }
    await page.keyboard.press("g");
    await page.keyboard.press("v");
    await page.getByRole("heading", { level: 1, name: "Invocations" }).waitFor();
    await page.locator(".row-name").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Input" }).waitFor();
    expect(await findBarriers(page), "invocation").toEqual([]);
    for (const name of ["Keys", "Users", "Tool sets", "Browsers"]) {
      await open("/access");
      await page.getByRole("tab", { name }).click();
      await page.locator("main table").first().waitFor();
      expect(await findBarriers(page), name).toEqual([]);
    }
  });

  it("signs out, shows nothing but the way in, and signs in with another link", async () => {
    await open("/");
    await button("default").click();
    await button("Sign out").click();
    await page.getByRole("heading", { name: "Sign in to Haft" }).waitFor();
    await page.getByLabel("Or paste an API key or a link").fill("haft_wrong");
    await button("Sign in").click();
    await page.getByText("The API key is unknown").waitFor();
    await page.goto((await server.haft("console")).trim());
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    // The browser reports the refusal above.
    complaints.length = 0;
  });
});

describe("the console's page", () => {
  it("loads at most 130 KB compressed before its first page is shown", async () => {
    const { buildConsole } = await import("../../scripts/build-console.mjs");
    await buildConsole();
    const folder = fileURLToPath(new URL("../../packages/platform/dist/page/", import.meta.url));
    type Chunk = { file: string; css?: string[]; imports?: string[] };
    const manifest = JSON.parse(
      readFileSync(join(folder, ".vite/manifest.json"), "utf8"),
    ) as Record<string, Chunk>;
    const files = new Set(["index.html"]);
    const add = (name: string): void => {
      const { file, css = [], imports = [] } = manifest[name] as Chunk;
      if (files.has(file)) return;
      for (const each of [file, ...css]) files.add(each);
      for (const each of imports) add(each);
    };
    for (const name of ["index.html", "src/pages/inbox.tsx"]) add(name);
    const bytes = [...files].map((file) => readFileSync(join(folder, `${file}.gz`)).byteLength);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(130 * 1024);
  });
});
