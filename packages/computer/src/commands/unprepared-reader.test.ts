import { expect, it, vi } from "vitest";

it("a reader that was not prepared is certain of nothing, and is so once it was", async () => {
  // Other tests of this process have loaded the parser.
  vi.resetModules();
  const { createCommandReader } = await import("./command-reader.ts");
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
