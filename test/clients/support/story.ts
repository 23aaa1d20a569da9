import { expect } from "vitest";
import type { ScriptedModel } from "../model/scripted-model.ts";
import type { ModelCall } from "../model/wire.ts";
import type { Desk } from "./desk.ts";

const lines = Array.from({ length: 120 }, (_, index) => `line ${index + 1} of the story`);

// One dot.
const image =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The project that the story happens in. */
export const storyFiles: Readonly<Record<string, string | Buffer>> = {
  "story.txt": `${lines.join("\n")}\n`,
  "dot.png": Buffer.from(image, "base64"),
};

/** What the model does there; a client has its own names for our tools. */
export function storyCalls(nameOf: (tool: string) => string): Omit<ModelCall, "id">[] {
  const call = (tool: string, given: ModelCall["arguments"]): Omit<ModelCall, "id"> => ({
    name: nameOf(tool),
    arguments: given,
  });
  return [
    call("read", { path: "story.txt" }),
    call("edit", {
      path: "story.txt",
      old_string: "line 60 of the story",
      new_string: "line 60, where it turns",
    }),
    call("grep", { pattern: "where it \\w+" }),
    call("bash", { command: "printf 'it ran' > made.txt; seq 1 200; pwd" }),
    call("read", { path: "nowhere.txt" }),
    call("read", { path: "dot.png" }),
  ];
}

/** Checks that everything happened, and that the model was told of it in full. */
export function expectStory(model: ScriptedModel, desk: Desk): void {
  const [read = "", edit, grep, bash = "", missing] = model.results;
  // The text as we wrote it, not as JSON, and once.
  expect(read.split("story.txt: 120 lines\n\n1: line 1 of the story\n2: line 2")).toHaveLength(2);
  for (const line of lines) expect(read).toContain(line);
  expect(edit).toContain("story.txt");
  expect(grep).toContain("line 60, where it turns");
  expect(grep).toContain("story.txt");
  expect(bash).toContain(Array.from({ length: 200 }, (_, index) => `${index + 1}\n`).join(""));
  expect(bash).toContain(desk.workspace);
  expect(missing).toContain("nowhere.txt");
  expect(model.results).toHaveLength(6);
  expect(desk.read("story.txt").split("\n")[59]).toBe("line 60, where it turns");
  expect(desk.read("made.txt")).toBe("it ran");
}

/** Checks that the model was shown the image as one. */
export function expectImage(model: ScriptedModel): void {
  expect(model.lastRequest).toContain(image);
}

/** Returns the names of our tools that work without a model, a search provider or a person. */
export async function listUsable(desk: Desk): Promise<string[]> {
  const tools = JSON.parse((await desk.haft("tools", "--json")).stdout) as { name: string }[];
  const needy = ["task", "task_output", "task_stop", "web_search", "question"];
  return tools.map(({ name }) => name).filter((name) => !needy.includes(name));
}

/** Checks that our tools are offered under the client's names, with their schemas whole. */
export async function expectOffered(
  model: ScriptedModel,
  desk: Desk,
  nameOf: (tool: string) => string,
): Promise<void> {
  const offered = model.offered.map(({ name }) => name);
  expect(offered).toEqual(expect.arrayContaining((await listUsable(desk)).map(nameOf)));
  const edit = model.offered.find(({ name }) => name === nameOf("edit"));
  expect(edit?.parameters).toMatchObject({
    type: "object",
    properties: { path: {}, old_string: {}, new_string: {}, replace_all: {} },
    required: ["path", "old_string", "new_string"],
  });
}
