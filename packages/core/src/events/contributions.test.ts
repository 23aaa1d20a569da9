import { describe, expect, it } from "vitest";
import { createContributions } from "./contributions.ts";

describe("createContributions", () => {
  it("collects what all contributors of a channel offer, in order", async () => {
    const { registerContributor, collectContributions } = createContributions();
    registerContributor("events", "a", () => ["one"]);
    registerContributor("events", "b", async () => "two");
    registerContributor("other", "c", () => "three");
    expect(await collectContributions("events")).toEqual([["one"], "two"]);
    expect(await collectContributions("nobody")).toEqual([]);
  });

  it("leaves out those who offer nothing", async () => {
    const { registerContributor, collectContributions } = createContributions();
    registerContributor("events", "a", () => undefined);
    registerContributor("events", "b", () => null);
    registerContributor("events", "c", () => 0);
    expect(await collectContributions("events")).toEqual([0]);
  });

  it("leaves out those who throw, and reports them", async () => {
    const reports: string[] = [];
    const { registerContributor, collectContributions } = createContributions((message) =>
      reports.push(message),
    );
    registerContributor("events", "a", () => {
      throw new Error("broken");
    });
    registerContributor("events", "b", () => "two");
    expect(await collectContributions("events")).toEqual(["two"]);
    expect(reports).toEqual(["Contributor a on events threw: broken"]);
  });

  it("removes a contributor, but not a later one of the same name", async () => {
    const { registerContributor, collectContributions } = createContributions();
    const leaveFirst = registerContributor("events", "a", () => "first");
    const leaveSecond = registerContributor("events", "a", () => "second");
    void leaveFirst();
    expect(await collectContributions("events")).toEqual(["second"]);
    void leaveSecond();
    expect(await collectContributions("events")).toEqual([]);
  });
});
