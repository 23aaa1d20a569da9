// Proves that what a model reads names only tools that it has, by the names of its dialect.
import { discoverManifests } from "@haft/agent/internal";
import { createMemoryComputer } from "@haft/computer/memory";
import { amp, claude, codex, createRegistry, createSession, gemini } from "@haft/core";
import { nativeIds, portable } from "@haft/core/internal";
import { describe, expect, it } from "vitest";
import { allTools } from "./all-tools.ts";
import { listOwnTexts } from "./own-texts.ts";

const texts = listOwnTexts();
const agents = discoverManifests({ workspace: "/nothing/is/here", environment: {} }).list();
const dialects = [portable, amp, claude, codex, gemini];

// IDs that are no English words, and the others where a sentence uses them as names.
const ids = [...nativeIds];
const unmistakable = ids.filter((id) => id.includes("_")).join("|");
const words = ids.filter((id) => !id.includes("_")).join("|");
const unmarked = new RegExp(
  `(?<![\`\\w.@/-])(?:${unmistakable})(?![\`\\w.-])|\\b[Uu]se (?:${words})\\b(?! (?:of|it|and))|\\bwith (?:bash|edit|write|grep|read|lsp)[.,]`,
  "u",
);

describe("the texts of the sources", () => {
  it("name each native tool that there is", () => {
    expect(new Set(allTools.map(({ id }) => id))).toEqual(nativeIds);
  });

  it("write the name of a tool in backticks", () => {
    const found = texts.filter(
      ({ text }) => text.includes(" ") && !isRules(text) && unmarked.test(text),
    );
    expect(found.map(({ at }) => at)).toEqual([]);
  });

  it("name tools only where they are rewritten for the model", () => {
    const found = texts.filter(({ text, isRewritten }) => !isRewritten && namesTool(text));
    expect(found.map(({ at }) => at)).toEqual([]);
  });
});

describe.each(dialects)("in the dialect $name", (dialect) => {
  const open = (agent?: string) => {
    const tools = agents.find(({ name }) => name === agent)?.tools;
    return createSession({
      registry: createRegistry(allTools),
      computer: createMemoryComputer(),
      dialect,
      ...(tools && { mode: { includeTools: tools } }),
    });
  };
  const strangers = (text: string, session: ReturnType<typeof open>): string[] => {
    const shown = new Set(session.tools("all").map(({ name }) => name));
    return Array.from(text.matchAll(mention), ([, id = ""]) => id).filter(
      (id) => nativeIds.has(id) && !shown.has(id),
    );
  };

  it("descriptions, remedies and advice name only tools that are shown", () => {
    const session = open();
    for (const { at, text } of texts.filter(({ isRewritten }) => isRewritten)) {
      expect([at, strangers(session.nameTools(text), session)]).toEqual([at, []]);
    }
  });

  it.each([undefined, ...agents.map(({ name }) => name)])("%s reads of no other tool", (name) => {
    const session = open(name);
    for (const { name: tool, description, ...schemas } of session.tools()) {
      expect([tool, description.trim() === ""]).toEqual([tool, false]);
      const said = description + JSON.stringify(schemas);
      expect([tool, strangers(said, session), unmarkedIn(said, session)]).toEqual([tool, [], []]);
    }
    const prompt = session.nameTools(agents.find((agent) => agent.name === name)?.prompt ?? "");
    expect(strangers(prompt, session)).toEqual([]);
  });

  it("an agent has every tool that its manifest names", () => {
    for (const { name, tools = [] } of agents) {
      const session = open(name);
      const shown = session.tools().map(({ tool }) => tool);
      const missing = tools.filter((id) => !shown.includes(id));
      expect([name, missing]).toEqual([name, []]);
    }
  });

  function unmarkedIn(text: string, session: ReturnType<typeof open>): string[] {
    const shown = new Set(session.tools("all").flatMap(({ name, tool }) => [name, tool]));
    return (text.match(new RegExp(`\\b(?:${unmistakable})\\b`, "gu")) ?? []).filter(
      (id) => !shown.has(id),
    );
  }
});

// The default rules.
function isRules(text: string): boolean {
  return text.startsWith("\n# ");
}

const mention = /`([a-z]+(?:_[a-z]+)*)`/gu;

function namesTool(text: string): boolean {
  return Array.from(text.matchAll(mention)).some(([, id = ""]) => nativeIds.has(id));
}
