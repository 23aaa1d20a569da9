import { describe, expect, it } from "vitest";
import type { Cleanup, Coordinator } from "../coordinator.ts";
import { MockCoordinator } from "./mock-coordinator.ts";
import { MockTool } from "./mock-tool.ts";

const tool = new MockTool({ name: "greet" });

describe("MockCoordinator", () => {
  it("keeps mounted tools by their given name, or by their id", async () => {
    const coordinator = new MockCoordinator();
    await coordinator.mount("tools", tool);
    await coordinator.mount("tools", tool, { name: "my-greet" });
    expect([...coordinator.mounted]).toEqual([
      ["greet", tool],
      ["my-greet", tool],
    ]);
  });

  it("refuses a second tool of one name and an unknown mount point", async () => {
    const coordinator = new MockCoordinator();
    await coordinator.mount("tools", tool);
    await expect(coordinator.mount("tools", tool)).rejects.toThrow(/already mounted as greet/u);
    await expect(coordinator.mount("hooks" as "tools", tool)).rejects.toThrow(/"hooks"/u);
  });

  it("collects what contributors offer and leaves out one that throws or offers nothing", async () => {
    const coordinator = new MockCoordinator();
    const offer = (name: string, contribute: () => unknown): Cleanup =>
      coordinator.registerContributor("observability.events", name, contribute);
    offer("a", () => ["a:started"]);
    offer("b", async () => ["b:started"]);
    offer("broken", () => {
      throw new Error("no");
    });
    offer("silent", () => undefined);
    const stop = offer("c", () => ["c:started"]);
    expect([...(coordinator.contributors.get("observability.events")?.keys() ?? [])]).toEqual([
      "a",
      "b",
      "broken",
      "silent",
      "c",
    ]);
    await stop();
    const collected = await coordinator.collectContributions("observability.events");
    expect(collected).toEqual([["a:started"], ["b:started"]]);
    expect(await coordinator.collectContributions("empty")).toEqual([]);
  });

  it("lets a cleanup take back only its own contribution", async () => {
    const coordinator = new MockCoordinator();
    const stop = coordinator.registerContributor("channel", "a", () => 1);
    coordinator.registerContributor("channel", "a", () => 2);
    await stop();
    expect(await coordinator.collectContributions("channel")).toEqual([2]);
  });

  it("loads a module that mounts its tool and returns it", async () => {
    const coordinator = new MockCoordinator();
    await coordinator.load(
      async (on: Coordinator, config: { name: string }) => {
        await on.mount("tools", tool, { name: config.name });
        return tool;
      },
      { name: "configured" },
    );
    expect([...coordinator.mounted.keys()]).toEqual(["configured"]);
  });

  it("mounts the tool of a module that only returns it", async () => {
    const coordinator = new MockCoordinator();
    await coordinator.load(async () => tool, {});
    expect(coordinator.mounted.get("greet")).toBe(tool);
  });

  it("loads a module that returns nothing", async () => {
    const coordinator = new MockCoordinator();
    await coordinator.load(async () => {}, {});
    expect(coordinator.mounted.size).toBe(0);
  });

  it("runs the cleanups of its modules once, the latest first, and forgets what they hung", async () => {
    const coordinator = new MockCoordinator();
    const order: string[] = [];
    const load = (name: string): Promise<void> =>
      coordinator.load(async (on) => {
        await on.mount("tools", tool, { name });
        on.registerContributor("channel", name, () => name);
        return () => {
          order.push(name);
        };
      }, {});
    await load("first");
    await load("second");
    await coordinator.unmount();
    await coordinator.unmount();
    expect(order).toEqual(["second", "first"]);
    expect(coordinator.mounted.size).toBe(0);
    expect(await coordinator.collectContributions("channel")).toEqual([]);
  });
});
