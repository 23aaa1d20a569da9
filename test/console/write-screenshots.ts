// Writes the pictures of docs/console: each page on a server with sample data, light, dark and narrow.
// Run it with: node test/console/write-screenshots.ts

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { call as callTool, say, startModelServer } from "../agents/support/model-server.ts";
import { openBrowser } from "./open-browser.ts";
import { openConsole, type TestConsole, toProject } from "./open-console.ts";
import { recordSessions } from "./record-sessions.ts";

const folder = fileURLToPath(new URL("../../docs/console/", import.meta.url));
const settleMs = 700;
const desk = { width: 1280, height: 800 };
const appearances = [
  ["", "light", desk],
  ["-dark", "dark", desk],
  ["-narrow", "light", { width: 390, height: 780 }],
] as const;

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
  const waiting = await fillMachine(server);
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
    ...toMachinePaths(waiting),
    access: "/access?tab=roles",
    health: "/health",
  };
  await page.goto(`${server.url}/invocations?status=failed`);
  const failed = page.locator(".row-name").first();
  await failed.waitFor();
  const invocation = (await failed.getAttribute("href")) ?? "";
  for (const [suffix, colorScheme, size] of appearances) {
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme });
    await page.setViewportSize(size);
    for (const [name, path] of Object.entries({ ...paths, invocation })) {
      await page.goto(server.url + path);
      await page.locator("main h1").first().waitFor();
      if (name === "try") await page.getByRole("button", { name: "Run", exact: true }).click();
      await shoot(page, name + suffix);
    }
  }
} finally {
  await browser.close();
  for (const { id } of await listCalls(server)) {
    await server.call("POST", `inbox/${id}`, { answer: "no" });
  }
  await server.close();
}

/** Saves what the window shows, once the page has come to rest. */
async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(settleMs);
  while ((await page.locator("main .loading").count()) > 0) await page.waitForTimeout(settleMs);
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

/** The pages about the machine. `waiting` is the ID of a call that waits. */
function toMachinePaths(waiting: string) {
  const command = encodeURIComponent("git push origin main > push.log");
  return {
    "inbox-call": `/inbox/${waiting}`,
    rules: "/rules",
    "rules-test": `/rules?tab=test&tool=bash&command=${command}`,
    "rules-simulate": "/rules?tab=simulate&rule=write+docs%2F**+allow",
    cost: "/cost",
  } as const;
}

/** Lets agents work in the workspace. Returns the ID of a call that waits. */
async function fillMachine({ workspace, haft, start, call }: TestConsole): Promise<string> {
  for (const name of ["docs", ".haft"]) mkdirSync(join(workspace, name), { recursive: true });
  const prices = { "openai-compatible/qwen3": { input: 0.4, output: 1.6 } };
  writeFileSync(join(workspace, ".haft/settings.json"), JSON.stringify({ prices }));
  const plan = "# Release\n\n1. Freeze the branch\n2. Run the checks\n3. Tag it\n";
  writeFileSync(join(workspace, "docs/release.md"), plan);
  await haft("permissions", "add", "bash git push ask");
  await haft("permissions", "add", "bash npm run build allow");
  await haft("permissions", "add", "write docs/legal/** deny");
  for (const name of ["notes", "changes", "faq"]) {
    await haft("call", "write", `path=docs/${name}.md`, `content=# ${name}`, "--yes");
  }
  const model = await startModelServer([
    callTool("read", { path: "docs/release.md" }),
    callTool("grep", { pattern: "Tag", path: "docs" }),
    say("The release is tagged last."),
  ]);
  const options = ["--model", "openai-compatible/qwen3", "--trust-project"];
  await haft("agent", ...options, "--base-url", model.baseUrl("openai-compatible"), "When?");
  await model.close();
  const content = plan.replace("3. Tag it", "3. Write the notes\n4. Tag it");
  start("call", "write", "path=docs/release.md", `content=${content}`, "--wait", "20m");
  start("call", "bash", "command=git push origin main", "--wait", "20m");
  for (;;) {
    const calls = await listCalls({ call });
    const found = calls.find(({ tool_name: tool }) => tool === "write");
    if (calls.length === 2 && found !== undefined) return found.id;
    await new Promise((go) => setTimeout(go, 200));
  }
}

/** Returns the calls of agents that wait. */
async function listCalls({ call }: Pick<TestConsole, "call">) {
  const { items } = await call<{ items: { id: string; tool_name: string }[] }>("GET", "inbox");
  return items.filter(({ id }) => id.length === 32);
}
