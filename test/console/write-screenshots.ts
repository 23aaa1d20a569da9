// Writes the pictures of docs/console: each page on a server with sample data, light, dark and narrow.
// Run it with: node test/console/write-screenshots.ts

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { openBrowser } from "./open-browser.ts";
import { openConsole, type TestConsole, toProject } from "./open-console.ts";
import { recordSessions } from "./record-sessions.ts";

const folder = fileURLToPath(new URL("../../docs/console/", import.meta.url));
const settleMs = 700;

const server = await openConsole();
const browser = await openBrowser();
try {
  mkdirSync(folder, { recursive: true });
  const page = await browser.context.newPage();
  await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
  await page.goto(server.link);
  await page.getByRole("heading", { name: "Start with a tool" }).waitFor();
  await shoot(page, "first-run");
  const refund = await fill(server);
  await recordSessions(server);
  const { sessions } = await server.call<{ sessions: { id: string; name: string }[] }>(
    "GET",
    "machine/sessions",
  );
  const session = `/sessions/${sessions.find(({ name }) => name === "review")?.id}`;
  const paths = {
    inbox: "/",
    sessions: "/sessions",
    session,
    "session-timeline": `${session}?tab=timeline`,
    "session-changes": `${session}?show=changed`,
    tools: "/tools",
    tool: `/tools/${refund}`,
    differences: `/tools/${refund}?tab=diff`,
    try: `/try?tool=refund&input=${encodeURIComponent('{"order": 17, "amount": 12.5}')}`,
    invocations: "/invocations",
    access: "/access?tab=roles",
    health: "/health",
  };
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(server.url + path);
    await page.locator("main h1").first().waitFor();
    if (name === "try") await page.getByRole("button", { name: "Run", exact: true }).click();
    await shoot(page, name);
  }
  await page.goto(`${server.url}/invocations?status=failed`);
  await page.locator(".row-name").first().click();
  await shoot(page, "invocation");
  for (const [name, path] of [
    ["invocations-dark", "/invocations"],
    ["try-dark", paths.try],
    ["sessions-dark", paths.sessions],
    ["session-dark", paths.session],
    ["session-timeline-dark", paths["session-timeline"]],
  ] as const) {
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "dark" });
    await page.goto(server.url + path);
    await shoot(page, name);
  }
  await page.setViewportSize({ width: 390, height: 780 });
  await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
  for (const [name, path] of [
    ["inbox-narrow", "/"],
    ["invocations-narrow", "/invocations"],
    ["tools-narrow", "/tools"],
    ["sessions-narrow", paths.sessions],
    ["session-narrow", paths.session],
    ["session-timeline-narrow", paths["session-timeline"]],
  ] as const) {
    await page.goto(server.url + path);
    await shoot(page, name);
  }
} finally {
  await browser.close();
  await server.close();
}

/** Saves what the window shows, once the page has come to rest. */
async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(settleMs);
  await page.screenshot({ path: `${folder}${name}.png`, animations: "disabled", caret: "hide" });
}

/** Publishes tools and uses them. Returns the ID of the one with two versions. */
async function fill({ push, publish, call }: TestConsole): Promise<string> {
  const properties = {
    order: { type: "integer", description: "Number of the order" },
    amount: { type: "number", description: "In euros" },
  };
  const code =
    'if (toolInput.order % 7 === 0) throw new RangeError("There is no order " + toolInput.order);\n  console.log("looking up order", toolInput.order);\n  return JSON.stringify([{ order: toolInput.order, status: "refunded", amount: toolInput.amount }]);';
  await push({
    ...toProject("refund", { properties, code }),
    ...toProject("weather", {
      properties: { city: { type: "string" } },
      code: 'return "Sunny in " + toolInput.city;',
    }),
    ...toProject("approve_payment", {
      code: 'return String(await ask({ question: toolInput.question, schema: { type: "boolean" }, deadline: "2d" }));',
    }),
  });
  const refund = await publish("refund", "Refunds an order, wholly or in part.");
  const weather = await publish("weather", "Tells the weather of a city.");
  const approve = await publish("approve_payment", "Asks a person before money is sent.");
  const invoke = (id: string, input: object, headers = {}): Promise<unknown> =>
    call(
      ...(["POST", `tool/${id}/version/latest/invoke`] as const),
      { inputs: [{ input_parameters: input, invocation_mode: "regular" }] },
      headers,
    );
  for (let order = 1; order <= 40; order++) {
    await invoke(refund, { order, amount: 10 + order / 2 });
    if (order % 3 === 0)
      await invoke(weather, { city: ["Oslo", "Lima", "Quito"][(order % 9) % 3] });
  }
  await push(
    toProject("refund", {
      properties: {
        ...properties,
        reason: { type: "string", description: "Shown to the customer" },
      },
      code: code.replace('"refunded"', '"refunded", reason: toolInput.reason'),
    }),
  );
  await call("POST", `tool/${refund}/version`, { project_path: "refund", bump_type: "minor" });
  const later = { prefer: "respond-async" };
  await invoke(approve, { question: "Pay 1,200 € to Nordwind GmbH for invoice 88-17?" }, later);
  await invoke(approve, { question: "Refund order 1043 in full (89.00 €)?" }, later);
  await call("POST", "organization/role/", {
    name: "support",
    permissions: [
      "Tool:GetTool",
      "Tool:InvokeTool@tool:refund",
      "Inbox:GetItem",
      "Inbox:AnswerItem",
    ],
  });
  return refund;
}
