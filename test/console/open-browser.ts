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

/** A browser with a profile of its own. */
export interface TestBrowser {
  readonly context: BrowserContext;
  /** Ends the browser and removes its profile. */
  close(): Promise<void>;
}

/** Starts the system's Chromium on an empty profile. */
export async function openBrowser(): Promise<TestBrowser> {
  const executablePath = findChromium();
  const profile = await mkdtemp(join(tmpdir(), "haft-browser-"));
  const context = await chromium.launchPersistentContext(profile, { executablePath, args });
  return {
    context,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function findChromium(): string {
  const found = process.env.HAFT_CHROMIUM ?? places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new Error(
    "The browser tests need Chromium, and there is none. Run `npm run setup -- --for-tests`, or name one in HAFT_CHROMIUM.",
  );
}
