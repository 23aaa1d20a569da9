import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the system's Chromium on an empty profile. */
export async function openBrowser(): Promise<BrowserContext> {
  const executablePath = findChromium();
  const profile = await mkdtemp(join(tmpdir(), "haft-browser-"));
  const browser = await chromium.launchPersistentContext(profile, { executablePath, args });
  browser.once("close", () => void rm(profile, { recursive: true, force: true, maxRetries: 5 }));
  return browser;
}

function findChromium(): string {
  const found = process.env.HAFT_CHROMIUM ?? places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new Error(
    "The browser tests need Chromium, and there is none. Run `npm run setup -- --for-tests`, or name one in HAFT_CHROMIUM.",
  );
}
