import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { hidden } from "./hostile-text.ts";
import type { TestBrowser } from "./open-browser.ts";
import type { TestConsole } from "./open-console.ts";

const axe = readFileSync(
  createRequire(new URL("../../packages/console/package.json", import.meta.url)).resolve(
    "axe-core/axe.min.js",
  ),
  "utf8",
);

/** Opens a page that notes what no page may do: dialogs, requests elsewhere, warnings and errors. */
export async function openPage(
  browser: TestBrowser,
  server: TestConsole,
  complaints: string[],
): Promise<Page> {
  const page = await browser.context.newPage();
  page.setDefaultTimeout(60_000);
  page.on("dialog", (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== server.url) complaints.push(request.url());
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return page;
}

/** Returns the serious findings of axe. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated by the test's own connection, which the page's policy does not bind.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as {
        axe: {
          run(): Promise<{
            violations: { id: string; impact: string; nodes: { html: string }[] }[];
          }>;
        };
      }
    ).axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`);
  });
}

/** Expects that nothing on the page was made of hostile text, and that its characters can be seen. */
export async function expectInert(page: Page): Promise<void> {
  const made = page.locator(
    "main :is(img, iframe, script, style, base, object, embed, form[action])",
  );
  expect(await made.count()).toBe(0);
  expect(await page.locator('main a[href^="javascript:"]').count()).toBe(0);
  expect(await page.title()).not.toContain("pwned");
  const text = (await page.locator("main").textContent()) ?? "";
  expect(hidden.exec(text.replaceAll(/[\n\t]/gu, " "))).toBeNull();
}

/** Expects that a page does not scroll sideways. */
export async function expectFits(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}
