import { createHash } from "node:crypto";
import { expect, it, onTestFinished, vi } from "vitest";
import { newId } from "../new-id.ts";
import { openStore } from "../store/open-store.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { insertVersion } from "../tools/test-support/insert-version.ts";
import {
  type Caller,
  openTools,
  type Sent,
  type ToolBench,
} from "../tools/test-support/open-tools.ts";
import { createArtifactStore } from "./create-artifact-store.ts";
import { createVersionResolver } from "./create-version-resolver.ts";
import { findNextVersion } from "./next-version.ts";
import type { VersionNumber } from "./resolved-version.ts";
import type { VersionPage } from "./version-schemas.ts";
import { toText } from "./version-text.ts";

interface Fixture {
  readonly bench: ToolBench;
  readonly caller: Caller;
  readonly organization: string;
  readonly toolId: string;
  list(query?: NonNullable<Sent["query"]>): Promise<VersionPage>;
  /** The versions that a listing shows. */
  texts(query?: NonNullable<Sent["query"]>): Promise<string[]>;
  deprecate(versions: string): Promise<unknown>;
}

describeStores("versions", (stores) => {
  const open = async (...versions: string[]): Promise<Fixture> => {
    const bench = openTools(await stores.open());
    const caller = bench.enter();
    const { organization } = caller;
    const toolId = await caller.createTool("tool");
    for (const version of versions) {
      await insertVersion(bench.parts.store, { organization, toolId, version });
    }
    const list: Fixture["list"] = (query = {}) =>
      caller.get("get-tool-versions", { params: { tool_id: toolId }, query });
    return {
      bench,
      caller,
      organization,
      toolId,
      list,
      texts: async (query) =>
        (await list(query)).tool_versions.map(({ version }) => toText(version as VersionNumber)),
      deprecate: (chosen) =>
        caller.call("deprecate-tool-version", { params: { tool_id: toolId, versions: chosen } }),
    };
  };

  it("are shown as they were published", async () => {
    const { bench, organization, toolId, list } = await open();
    const row = await insertVersion(
      bench.parts.store,
      { organization, toolId, version: "1.0.0" },
      {
        required_envvars: '["URL"]',
        required_secret_envvars: '["KEY"]',
        input_schema: '{"type":"object","properties":{"a":{}}}',
        manifest: '{"outputSchema":{"type":"string"}}',
        created_at: 0,
        updated_at: 1,
        creator_user_id: "b".repeat(24),
      },
    );
    expect(await list()).toEqual({
      tool_versions: [
        {
          id: row.id,
          org_id: organization,
          created_at: "1970-01-01T00:00:00.000Z",
          updated_at: "1970-01-01T00:00:00.001Z",
          tool_id: toolId,
          version: { major: 1, minor: 0, patch: 0 },
          required_envvars: ["URL"],
          required_secret_envvars: ["KEY"],
          input_schema: { type: "object", properties: { a: {} } },
          output_schema: { type: "string" },
          tool_commit_hash: row.commit_hash,
          amigo_scaffold_commit_hash: row.scaffold_commit_hash,
          project_directory: "my_tool",
          artifact_digest: "d".repeat(64),
          lambda_version: 1,
          creator: { user_id: "b".repeat(24), user_org_id: organization },
          updated_by: { user_id: "a".repeat(24), user_org_id: organization },
          deprecated: false,
          candidate: false,
          latest: true,
          allowed_hosts: [],
          simulation_hosts: [],
        },
      ],
      has_more: false,
      continuation_token: null,
      filter_values: { creators: [{ user_id: "b".repeat(24), user_org_id: organization }] },
    });
  });

  it("are listed by constraint, deprecation and creator", async () => {
    const { bench, organization, toolId, list, texts } = await open("1.0.0", "1.2.0", "1.10.0");
    const { store } = bench.parts;
    const [one, other] = ["a".repeat(24), "c".repeat(24)];
    const place = { organization, toolId };
    await insertVersion(store, { ...place, version: "2.0.0" }, { creator_user_id: other });
    await insertVersion(
      store,
      { ...place, version: "2.1.0" },
      { creator_user_id: other, deprecated: 1 },
    );
    await insertVersion(store, { organization, toolId: newId(), version: "9.0.0" });
    expect(await texts()).toEqual(["1.0.0", "1.2.0", "1.10.0", "2.0.0", "2.1.0"]);
    expect(await texts({ versions: ">=1.2,<2" })).toEqual(["1.2.0", "1.10.0"]);
    expect(await texts({ version_constraint: "~=2.0" })).toEqual(["2.0.0", "2.1.0"]);
    expect(await texts({ versions: ">=1.2", version_constraint: "<2" })).toHaveLength(2);
    expect(await texts({ versions: "2.1.0" })).toEqual(["2.1.0"]);
    expect(await texts({ versions: "latest" })).toEqual(["2.0.0"]);
    expect(await texts({ versions: ">9" })).toEqual([]);
    expect(await texts({ versions: " " })).toHaveLength(5);
    expect(await texts({ deprecated: "true" })).toEqual(["2.1.0"]);
    expect(await texts({ deprecated: "false", versions: ">=2" })).toEqual(["2.0.0"]);
    const creator = `${organization},${other}`;
    expect(await texts({ creator })).toEqual(["2.0.0", "2.1.0"]);
    expect(await texts({ creator: [creator, `${organization},${one}`] })).toHaveLength(5);
    expect(await texts({ creator: `${newId()},${other}` })).toEqual([]);
    expect((await list()).filter_values?.creators).toEqual([
      { user_id: one, user_org_id: organization },
      { user_id: other, user_org_id: organization },
    ]);
    for (const [query, message] of [
      [{ versions: "1.x" }, /versions: .*>=1\.2,<2/],
      [{ version_constraint: "^1" }, /version_constraint: .*>=1\.2,<2/],
      [{ creator: other }, /org_id,user_id/],
      [{ sort_by: "+size" }, /created_at, version, version.major, .*deprecated/],
      [{ limit: "51" }, /limit/],
      [{ limit: "-1" }, /limit/],
      [{ continuation_token: "-1" }, /continuation_token/],
    ] as const) {
      await expect(list(query)).rejects.toMatchObject({
        status: 422,
        message: expect.stringMatching(message),
      });
    }
  });

  it("are sorted and paged as asked", async () => {
    const { list, texts, deprecate } = await open("1.0.0", "1.0.1", "1.2.0", "2.0.0", "10.0.0");
    expect(await texts({ sort_by: "-version" })).toEqual([
      "10.0.0",
      "2.0.0",
      "1.2.0",
      "1.0.1",
      "1.0.0",
    ]);
    expect(
      await texts({ sort_by: ["-version.minor", " version.major", "-version.patch"] }),
    ).toEqual(["1.2.0", "1.0.1", "1.0.0", "2.0.0", "10.0.0"]);
    expect((await texts({ sort_by: "-created_at" }))[0]).toBe("10.0.0");
    await deprecate("1.2.0");
    expect((await texts({ sort_by: "-deprecated" }))[0]).toBe("1.2.0");
    const first = await list({ limit: "2" });
    expect(first).toMatchObject({ has_more: true, continuation_token: 2 });
    expect(first.filter_values).not.toBeNull();
    const last = await list({ limit: "3", continuation_token: "2" });
    expect(last).toMatchObject({ has_more: false, continuation_token: null, filter_values: null });
    expect(last.tool_versions).toHaveLength(3);
    expect(await list({ limit: "0" })).toMatchObject({
      tool_versions: [],
      has_more: true,
      continuation_token: 0,
    });
    expect(await list({ limit: "0", versions: ">99" })).toMatchObject({ has_more: false });
  });

  // 004:263
  it("are listed fifty at a time", async () => {
    const { list } = await open(...Array.from({ length: 51 }, (_, at) => `1.${at}.0`));
    const first = await list();
    expect(first.tool_versions).toHaveLength(50);
    expect(first).toMatchObject({ has_more: true, continuation_token: 50 });
  });

  it("are deprecated by constraint", async () => {
    const { bench, caller, toolId, texts, deprecate } = await open("1.0.0", "1.1.0", "2.0.0");
    expect(await deprecate(">=1.0,<2")).toEqual({ status: 204 });
    expect(await texts({ deprecated: "true" })).toEqual(["1.0.0", "1.1.0"]);
    expect(await deprecate("1.0.0")).toEqual({ status: 204 });
    await expect(deprecate("3.0.0")).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('"3.0.0"'),
    });
    await expect(deprecate("all")).rejects.toMatchObject({ status: 422 });
    expect(await deprecate("latest")).toEqual({ status: 204 });
    expect(await texts({ deprecated: "false" })).toEqual([]);
    await expect(deprecate("latest")).rejects.toMatchObject({ status: 404 });
    const { db } = bench.parts.store;
    const audit = await db
      .selectFrom("audit")
      .select(["target", "user_id", "detail"])
      .where("action", "=", "version.deprecate")
      .orderBy("seq")
      .execute();
    expect(audit).toEqual([
      { target: toolId, user_id: caller.userId, detail: '{"versions":["1.0.0","1.1.0"]}' },
      {
        target: toolId,
        user_id: caller.userId,
        detail: '{"versions":["2.0.0"],"latest":{"from":"2.0.0","to":null}}',
      },
    ]);
    const operations = await db.selectFrom("operations").select(["kind", "state"]).execute();
    expect(operations).toEqual([
      { kind: "deprecate-version", state: "active" },
      { kind: "deprecate-version", state: "active" },
    ]);
  });

  it("are resolved to the highest that is not deprecated", async () => {
    const { bench, caller, organization, toolId, deprecate } = await open(
      "1.0.0",
      "1.2.0",
      "1.10.0",
      "2.0.0",
    );
    const resolver = createVersionResolver(bench.parts);
    const resolve = async (version: string): Promise<string> =>
      (await resolver.resolve(organization, toolId, version)).text;
    expect(await resolve("latest")).toBe("2.0.0");
    expect(await resolve("1.2.0")).toBe("1.2.0");
    expect(await resolve(">=1,<2")).toBe("1.10.0");
    expect(await resolver.resolve(organization, toolId, "~=1.2")).toEqual({
      id: expect.stringMatching(/^[a-f0-9]{24}$/),
      organization,
      toolId,
      toolName: "tool",
      number: { major: 1, minor: 10, patch: 0 },
      text: "1.10.0",
      manifest: expect.objectContaining({ description: "Version 1.10.0." }),
      artifactDigest: "d".repeat(64),
    });
    await expect(resolve("3.0.0")).rejects.toMatchObject({
      status: 404,
      message: 'There is no version "3.0.0" of the tool "tool". The latest is 2.0.0.',
    });
    await expect(resolve("1")).rejects.toMatchObject({ status: 422 });
    await deprecate("2.0.0");
    expect(await resolve("latest")).toBe("1.10.0");
    await expect(resolve("2.0.0")).rejects.toMatchObject({
      status: 404,
      message:
        'Version "2.0.0" of the tool "tool" is deprecated: it can\'t be run. The latest is 1.10.0.',
    });
    await insertVersion(bench.parts.store, { organization, toolId, version: "2.0.1" });
    expect(await resolve("latest")).toBe("2.0.1");
    await deprecate(">0");
    await expect(resolve("latest")).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("publish a new one"),
    });
    await caller.call("deprecate-tool", { params: { tool_id: toolId } });
    await expect(resolve("1.0.0")).rejects.toMatchObject({
      status: 404,
      message: 'The tool "tool" is deprecated: it can\'t be run.',
    });
    const empty = await caller.createTool("empty");
    await expect(resolver.resolve(organization, empty, "latest")).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("Publish one first"),
    });
  });

  it("are resolved for their own organization only", async () => {
    const { bench, organization, toolId } = await open("1.0.0");
    const resolver = createVersionResolver(bench.parts);
    await resolver.resolve(organization, toolId, "latest");
    const tell = async (id: string): Promise<string> => {
      const error = await Promise.resolve(resolver.resolve(newId(), id, "latest")).catch(
        (each: Error) => each,
      );
      expect(error).toMatchObject({ status: 404 });
      return (error as Error).message.replace(id, "ID");
    };
    expect(await tell(toolId)).toBe(await tell(newId()));
  });

  it("are resolved from memory until something has changed, here or elsewhere", async () => {
    const location = await stores.locate();
    const here = await openStore(location);
    const elsewhere = await openStore(location);
    const bench = openTools(here);
    const caller = bench.enter();
    const { organization } = caller;
    const toolId = await caller.createTool("tool");
    await insertVersion(here, { organization, toolId, version: "1.0.0" });
    const resolver = createVersionResolver({ store: here });
    // However little time passes between the change and the next request.
    const frozen = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => frozen.mockRestore());
    const first = await resolver.resolve(organization, toolId, "latest");
    const again = resolver.resolve(organization, toolId, "latest");
    if (here.kind === "sqlite") expect(again).toBe(first);
    expect((await again).id).toBe(first.id);
    await insertVersion(elsewhere, { organization, toolId, version: "1.1.0" });
    expect((await resolver.resolve(organization, toolId, "latest")).text).toBe("1.1.0");
    // What a version is does not change, so it is the same object still.
    expect(await resolver.resolve(organization, toolId, "1.0.0")).toBe(first);
    await here.close();
    await elsewhere.close();
  });

  it("get numbers that were never used before", async () => {
    const { bench, organization, toolId, deprecate } = await open();
    const { store } = bench.parts;
    const next = async (bump: "major" | "minor" | "patch"): Promise<readonly [string, number]> => {
      const { number, text, sequence } = await findNextVersion(store.db, toolId, bump);
      expect(toText(number)).toBe(text);
      return [text, sequence];
    };
    for (const bump of ["major", "minor", "patch"] as const) {
      expect(await next(bump)).toEqual(["1.0.0", 1]);
    }
    for (const version of ["1.0.0", "1.9.0", "1.10.3"]) {
      await insertVersion(store, { organization, toolId, version });
    }
    await deprecate("1.10.3");
    expect(await next("patch")).toEqual(["1.10.4", 4]);
    expect(await next("minor")).toEqual(["1.11.0", 4]);
    expect(await next("major")).toEqual(["2.0.0", 4]);
  });

  const digest = (content: Uint8Array): string =>
    createHash("sha256").update(content).digest("hex");

  it("keep an artifact once, and give it back as it was", async () => {
    const { parts } = openTools(await stores.open());
    const artifacts = createArtifactStore(parts);
    const content = new Uint8Array([0, 1, 255, 10]);
    await Promise.all([1, 2, 3].map(() => artifacts.put(digest(content), content)));
    expect([...(await artifacts.get(digest(content)))]).toEqual([...content]);
    const rows = await parts.store.db.selectFrom("artifacts").select("digest").execute();
    expect(rows).toEqual([{ digest: digest(content) }]);
  });

  it("refuse an artifact that is not what its digest says", async () => {
    const { parts } = openTools(await stores.open());
    const artifacts = createArtifactStore(parts);
    const content = new Uint8Array([1, 2, 3]);
    await expect(artifacts.put("0".repeat(64), content)).rejects.toThrow(/not what it should be/);
    await expect(artifacts.get(digest(content))).rejects.toThrow(/no artifact/);
    await artifacts.put(digest(content), content);
    await parts.store.db
      .updateTable("artifacts")
      .set({ content: new Uint8Array([1, 2, 4]) })
      .execute();
    await expect(artifacts.get(digest(content))).rejects.toThrow(/not what it should be/);
  });
});
