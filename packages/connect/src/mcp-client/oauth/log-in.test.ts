import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createServerFetch } from "../servers/http-server.ts";
import type { HttpSettings } from "../store/mcp-server-entry.ts";
import { type TestServers, useGuardedServer, useServers } from "../test-support/use-servers.ts";
import { logIn } from "./log-in.ts";
import { createStoredMemory } from "./oauth-memory.ts";

function settingsFor(url: string): HttpSettings {
  return { type: "http", url, headers: {}, hosts: [] };
}

// A browser follows redirects; the last one leads to us.
const browse = async (url: URL): Promise<void> => void (await fetch(url));

function logInto(
  { store }: TestServers,
  url: string,
  { openUrl = browse, timeoutMs = 60_000 } = {},
): Promise<void> {
  return logIn({
    name: "s",
    url,
    fetch: createServerFetch({ url, hosts: [] }),
    memory: createStoredMemory("s", store),
    openUrl: (address) => void openUrl(address),
    timeoutMs,
  });
}

describe("a remote server", () => {
  it("is reached in the newer era of the protocol", async () => {
    const { url } = await useGuardedServer();
    const place = useServers();
    expect((await place.add("s", settingsFor(url))).legacy).toBe(false);
    const { session } = await place.open();
    const result = await session.call({ name: "mcp__s__echo", arguments: { text: "hi" } });
    expect(result).toMatchObject({ data: "hi", metadata: { isolation: "capability" } });
  });

  it("gets the headers that it was added with", async () => {
    const { url } = await useGuardedServer({ token: "open sesame" });
    const place = useServers();
    await expect(place.add("s", settingsFor(url))).rejects.toThrow("haft mcp login s");
    const headers = { Authorization: `Bearer \${SESAME:-open sesame}` };
    const entry = await place.add("s", { ...settingsFor(url), headers });
    expect(entry.tools.map(({ name }) => name)).toEqual(["echo"]);
  });

  it("is unavailable if nothing listens at its address", async () => {
    const place = useServers();
    await expect(place.add("s", settingsFor("http://127.0.0.1:9/mcp"))).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});

const worthless = { access_token: "old", refresh_token: "old" };

describe("logIn", () => {
  it("registers, has the person agree, and keeps the tokens in a private file", async () => {
    const server = await useGuardedServer({ oauth: true });
    const place = useServers();
    await logInto(place, server.url);
    const file = join(place.store.directory, "credentials.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain("refresh-1");
    await place.add("s", settingsFor(server.url));
    const { session } = await place.open();
    const call = { name: "mcp__s__echo", arguments: { text: "hi" } };
    expect(await session.call(call)).toMatchObject({ data: "hi" });
    server.expireTokens();
    expect(await session.call(call)).toMatchObject({ data: "hi" });
    expect(server.counts).toEqual({ authorized: 1, registered: 1, refreshed: 1 });
  });

  it("says where to log in again once no token is taken any more", async () => {
    const server = await useGuardedServer({ oauth: true });
    const place = useServers();
    await logInto(place, server.url);
    await place.add("s", settingsFor(server.url));
    const memory = createStoredMemory("s", place.store);
    memory.update((all) => ({ ...all, tokens: { ...(all.tokens as object), ...worthless } }));
    const { session } = await place.open();
    const result = await session.call({ name: "mcp__s__echo", arguments: { text: "hi" } });
    expect(result).toMatchObject({
      error_text: expect.stringContaining("haft mcp login s"),
      metadata: { error_code: "unavailable" },
    });
    expect(server.counts.authorized).toBe(1);
  });

  it("refuses an answer with another state", async () => {
    const server = await useGuardedServer({ oauth: true });
    const place = useServers();
    const forge = async (url: URL): Promise<void> => {
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.search = "?code=stolen&state=guessed";
      await fetch(back);
    };
    await expect(logInto(place, server.url, { openUrl: forge, timeoutMs: 1_000 })).rejects.toThrow(
      "timeout",
    );
    expect(createStoredMemory("s", place.store).read().tokens).toBeUndefined();
  });

  it("refuses an answer of another issuer", async () => {
    const server = await useGuardedServer({ oauth: true, issuer: "https://evil.example" });
    const place = useServers();
    await expect(logInto(place, server.url)).rejects.toThrow(/issuer/iu);
    expect(createStoredMemory("s", place.store).read().tokens).toBeUndefined();
  });

  it("says so where there is nothing to log in to", async () => {
    const server = await useGuardedServer();
    await expect(logInto(useServers(), server.url)).rejects.toThrow("does not require a login");
  });
});
