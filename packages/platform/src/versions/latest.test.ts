import { expect, it } from "vitest";
import { describeStores } from "../test-support/describe-stores.ts";
import { insertVersion } from "../tools/test-support/insert-version.ts";
import { type Caller, openTools, type ToolBench } from "../tools/test-support/open-tools.ts";
import { createVersionResolver } from "./create-version-resolver.ts";
import type { LatestReply } from "./latest-schemas.ts";

interface Fixture {
  readonly bench: ToolBench;
  readonly caller: Caller;
  readonly toolId: string;
  add(version: string, isCandidate?: boolean): Promise<unknown>;
  /** Resolves a version in another process. */
  resolve(text: string): Promise<string>;
  call(operationId: string, body?: object, versions?: string): Promise<unknown>;
  latest(): Promise<LatestReply>;
}

describeStores("latest", (stores) => {
  const open = async (...versions: string[]): Promise<Fixture> => {
    const store = await stores.open();
    const bench = openTools(store);
    const caller = bench.enter();
    const toolId = await caller.createTool("tool");
    const resolver = createVersionResolver({ store });
    const add: Fixture["add"] = (version, isCandidate = false) => {
      const { organization } = caller;
      const place = { organization, toolId, version };
      return insertVersion(store, place, { candidate: isCandidate ? 1 : 0 });
    };
    for (const version of versions) await add(version);
    return {
      ...{ bench, caller, toolId, add },
      resolve: async (text) => (await resolver.resolve(caller.organization, toolId, text)).text,
      call: (operationId, body, text = "") =>
        caller.get(operationId, { params: { tool_id: toolId, versions: text }, body }),
      latest: () => caller.get("get-tool-latest", { params: { tool_id: toolId } }),
    };
  };

  it("names the promoted version everywhere, while constraints keep choosing the highest", async () => {
    const { caller, toolId, call, resolve, latest } = await open("1.0.0", "1.1.0", "2.0.0");
    expect(await resolve("latest")).toBe("2.0.0");
    const moved = await call("promote-tool-version", { version: "1.1.0" });
    expect(moved).toEqual({ from: "2.0.0", to: "1.1.0" });
    expect(await resolve("latest")).toBe("1.1.0");
    expect(await resolve(">=1")).toBe("2.0.0");
    const page = await caller.get<{ tool_versions: { latest: boolean }[] }>("get-tool-versions", {
      params: { tool_id: toolId },
      query: { versions: "latest" },
    });
    expect(page.tool_versions).toMatchObject([{ version: { major: 1, minor: 1 }, latest: true }]);
    expect(await latest()).toMatchObject({
      latest: "1.1.0",
      moves: [{ from: "2.0.0", to: "1.1.0", reason: "promote", user_id: caller.userId }],
    });
    await expect(call("promote-tool-version", { version: "3.0.0" })).rejects.toThrow(
      'There is no version "3.0.0" of the tool "tool".',
    );
    await expect(call("promote-tool-version", { version: ">=1" })).rejects.toThrow("exact version");
  });

  it("goes back as many versions as it is told to, past those that can't be run", async () => {
    const { call, resolve, latest } = await open("1.0.0", "1.1.0", "1.2.0", "2.0.0");
    await call("promote-tool-version", { version: "1.0.0" });
    await call("promote-tool-version", { version: "1.2.0" });
    await call("promote-tool-version", { version: "1.1.0" });
    await call("deprecate-tool-version", undefined, "1.2.0");
    expect(await call("roll-back-tool-latest")).toEqual({ from: "1.1.0", to: "1.0.0" });
    expect(await call("roll-back-tool-latest")).toEqual({ from: "1.0.0", to: "2.0.0" });
    expect(await resolve("latest")).toBe("2.0.0");
    // Nothing is known before that, so the next lower version is next.
    expect(await call("roll-back-tool-latest")).toEqual({ from: "2.0.0", to: "1.1.0" });
    expect((await latest()).moves).toHaveLength(6);
    await call("deprecate-tool-version", undefined, "!=1.1.0");
    await expect(call("roll-back-tool-latest")).rejects.toThrow("no version before 1.1.0");
  });

  it("leaves a version that is deprecated for the one before it, not for the highest", async () => {
    const { call, resolve, latest } = await open("1.0.0", "2.0.0");
    await call("roll-back-tool-latest");
    await call("promote-tool-version", { version: "2.0.0" });
    await call("deprecate-tool-version", undefined, "latest");
    expect(await resolve("latest")).toBe("1.0.0");
    await call("deprecate-tool-version", undefined, "latest");
    await expect(resolve("latest")).rejects.toThrow("Every version of it is deprecated");
    expect((await latest()).latest).toBeNull();
    await call("restore-tool-version", undefined, "1.0.0");
    expect(await resolve("latest")).toBe("1.0.0");
    // What is restored does not become the latest if there is one.
    await call("restore-tool-version", undefined, "2.0.0");
    expect(await resolve("latest")).toBe("1.0.0");
    expect(await resolve(">=1")).toBe("2.0.0");
  });

  it("does not reach candidates until they are promoted", async () => {
    const { add, call, resolve } = await open();
    await add("1.0.0", true);
    await expect(resolve("latest")).rejects.toThrow("It has only candidates: promote 1.0.0");
    expect(await resolve("1.0.0")).toBe("1.0.0");
    await call("promote-tool-version", { version: "1.0.0" });
    await add("1.1.0", true);
    for (const text of ["latest", ">=1"]) expect(await resolve(text)).toBe("1.0.0");
    await call("promote-tool-version", { version: "1.1.0" });
    for (const text of ["latest", ">=1"]) expect(await resolve(text)).toBe("1.1.0");
    await call("roll-back-tool-latest");
    expect(await resolve("latest")).toBe("1.0.0");
  });

  it("is restored with its tool, without versions that were deprecated before", async () => {
    const { bench, caller, call, resolve, toolId } = await open("1.0.0", "1.1.0", "1.2.0");
    await call("promote-tool-version", { version: "1.1.0" });
    await call("deprecate-tool-version", undefined, "1.0.0");
    await call("deprecate-tool");
    await expect(resolve("latest")).rejects.toThrow("is deprecated");
    await expect(call("promote-tool-version", { version: "1.1.0" })).rejects.toThrow("deprecated");
    const other = await caller.createTool("tool");
    await expect(call("restore-tool")).rejects.toMatchObject({ status: 409 });
    await caller.call("deprecate-tool", { params: { tool_id: other } });
    await call("restore-tool");
    expect(await resolve("latest")).toBe("1.1.0");
    expect(await resolve(">=1")).toBe("1.2.0");
    await expect(resolve("1.0.0")).rejects.toThrow("deprecated");
    const audit = await bench.parts.store.db
      .selectFrom("audit")
      .select("action")
      .where("target", "=", toolId)
      .orderBy("seq")
      .execute();
    expect(audit.map(({ action }) => action)).toEqual([
      ...["tool.create", "latest.promote", "version.deprecate", "tool.deprecate", "tool.restore"],
    ]);
  });
});
