import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { hidden } from "./hostile-text.ts";

const axe = readFileSync(
  createRequire(new URL("../../packages/console/package.json", import.meta.url)).resolve(
    "axe-core/axe.min.js",
  ),
  "utf8",
);

/** Collects what no page may do: errors and warnings, dialogs, requests to other origins. */
export function watchPage(page: Page, url: string, complaints: string[]): void {
  page.on("dialog", (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== url) complaints.push(request.url());
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
}

/** Expects that foreign text became no element and hides nothing. */
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
