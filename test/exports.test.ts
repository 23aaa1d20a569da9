import { describe, expect, it } from "vitest";

const entries: Readonly<Record<string, () => Promise<object>>> = {
  "@haft/contract": () => import("@haft/contract"),
  "@haft/contract/testing": () => import("@haft/contract/testing"),
  "@haft/core": () => import("@haft/core"),
  "@haft/computer": () => import("@haft/computer"),
  "@haft/computer/memory": () => import("@haft/computer/memory"),
  "@haft/tools": () => import("@haft/tools"),
  "@haft/connect": () => import("@haft/connect"),
  "@haft/connect/mcp-server": () => import("@haft/connect/mcp-server"),
  "@haft/connect/mcp-client": () => import("@haft/connect/mcp-client"),
  "@haft/connect/toolbox": () => import("@haft/connect/toolbox"),
  "@haft/connect/modules": () => import("@haft/connect/modules"),
  "@haft/connect/ai-sdk": () => import("@haft/connect/ai-sdk"),
  "@haft/connect/openai": () => import("@haft/connect/openai"),
  "@haft/connect/anthropic": () => import("@haft/connect/anthropic"),
  "@haft/connect/gemini": () => import("@haft/connect/gemini"),
  "@haft/connect/published": () => import("@haft/connect/published"),
  "@haft/agent": () => import("@haft/agent"),
  "@haft/agent/acp": () => import("@haft/agent/acp"),
  "@haft/agent/services": () => import("@haft/agent/services"),
  "@haft/agent/skills": () => import("@haft/agent/skills"),
  "@haft/agent/states": () => import("@haft/agent/states"),
  "@haft/agent/threads": () => import("@haft/agent/threads"),
  "@haft/platform": () => import("@haft/platform"),
  "@haft/platform/client": () => import("@haft/platform/client"),
  "@haft/platform/parts": () => import("@haft/platform/parts"),
  "@haft/cli": () => import("@haft/cli"),
};

describe("the public names", () => {
  it("change on purpose only", async () => {
    const lines: string[] = [];
    for (const [entry, load] of Object.entries(entries)) {
      lines.push(entry, ...Object.keys(await load()).sort(), "");
    }
    await expect(lines.join("\n")).toMatchFileSnapshot("exports.txt");
  });
});
