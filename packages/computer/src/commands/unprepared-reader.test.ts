import { expect, it } from "vitest";
import { createCommandReader } from "./command-reader.ts";

it("a reader that was not prepared is certain of nothing, and is so once it was", async () => {
  const reader = createCommandReader({ roots: ["/w"], home: undefined });
  expect(reader.read("ls", "/w")).toMatchObject({
    doubts: ["the command parser is not loaded yet"],
    looseWords: ["ls"],
    readsOnly: false,
  });
  await Promise.all([reader.prepare(), reader.prepare()]);
  expect(reader.prepare()).toBeUndefined();
  expect(reader.read("ls", "/w")).toMatchObject({ doubts: [], readsOnly: true });
});
