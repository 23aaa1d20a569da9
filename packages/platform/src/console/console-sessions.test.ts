import type { LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRouteWorld, type PlatformRouteWorld } from "../serve/test-support/open-route-world.ts";
import { describeStores } from "../test-support/describe-stores.ts";

const own = {
  host: "haft.test",
  origin: "http://haft.test",
  "sec-fetch-site": "same-origin",
  "x-haft-console": "1",
};

describeStores("signing in a browser", (stores) => {
  let world: PlatformRouteWorld;
  beforeAll(async () => {
    world = await openRouteWorld(stores);
  });
  afterAll(() => world?.close());

  const send = (
    method: "GET" | "POST" | "DELETE",
    url: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: object } = {},
  ): Promise<LightMyRequestResponse> =>
    world.server.inject({ method, url, headers, ...(body !== undefined && { payload: body }) });
  const inside = (path: string): string => `/v1/${world.organization}/${path}`;
  const bearer = (): Record<string, string> => ({
    authorization: `Bearer ${world.tokens.administrator}`,
  });
  const makeLink = async (): Promise<string> => {
    const link = await send("POST", inside("organization/console_link"), { headers: bearer() });
    expect(link.statusCode).toBe(201);
    return (link.json() as { path: string }).path.replace("/#sign-in=", "");
  };
  const signIn = async (headers: Record<string, string> = own): Promise<string> => {
    const signedIn = await send("POST", "/v1/console/session", {
      headers,
      body: { link: await makeLink() },
    });
    expect(signedIn.statusCode).toBe(200);
    return String(signedIn.headers["set-cookie"]);
  };
  const toCookie = (setCookie: string): string => setCookie.split(";", 1)[0] as string;

  it("takes a link once, and sets a cookie that scripts and other sites can't use", async () => {
    const body = { link: await makeLink() };
    const first = await send("POST", "/v1/console/session", { headers: own, body });
    expect(first.json()).toMatchObject({ organization: world.organization });
    expect(first.headers["set-cookie"]).toMatch(
      /^haft_session_[a-f0-9]{24}=hafts_[\w-]{43}; Max-Age=\d+; Path=\/v1; HttpOnly; SameSite=Strict$/u,
    );
    const again = await send("POST", "/v1/console/session", { headers: own, body });
    expect([again.statusCode, again.json()]).toEqual([
      401,
      { detail: expect.stringContaining("used before") },
    ]);
    expect(await signIn({ ...own, origin: "https://haft.test" })).toMatch(/; Secure$/u);
  });

  it("accepts the cookie for its organization, from the console's own pages only", async () => {
    const cookie = toCookie(await signIn());
    const list = (headers: object): Promise<LightMyRequestResponse> =>
      send("GET", inside("tool/"), { headers: { cookie, ...headers } });
    expect((await list({ "sec-fetch-site": "same-origin" })).statusCode).toBe(200);
    for (const site of ["cross-site", "same-site"]) {
      expect((await list({ "sec-fetch-site": site })).statusCode).toBe(403);
    }
    const elsewhere = await send("GET", `/v1/${world.other.organization}/tool/`, {
      headers: { cookie },
    });
    expect(elsewhere.statusCode).toBe(401);
    const create = (headers: Record<string, string>): Promise<LightMyRequestResponse> =>
      send("POST", inside("user/"), { headers: { cookie, ...headers }, body: { name: "Bob" } });
    expect((await create(own)).statusCode).toBe(201);
    const { "x-haft-console": _, ...bare } = own;
    const foreign = [
      bare,
      { ...own, origin: "http://haft.test:81" },
      { ...own, origin: "null" },
      { ...own, "sec-fetch-site": "cross-site" },
      { "x-haft-console": "1" },
    ];
    for (const headers of foreign) expect((await create(headers)).statusCode).toBe(403);
  });

  it("ends by signing out, by an administrator, and with the key", async () => {
    const check = async (cookie: string): Promise<number> =>
      (await send("GET", inside("tool/"), { headers: { cookie } })).statusCode;
    const gone = toCookie(await signIn());
    const signOut = `/v1/console/session/${world.organization}`;
    const out = await send("DELETE", signOut, { headers: { ...own, cookie: gone } });
    expect([out.statusCode, out.headers["set-cookie"]]).toEqual([
      204,
      expect.stringContaining("Max-Age=0"),
    ]);
    expect(await check(gone)).toBe(401);

    const made = await send("POST", inside("organization/api_key/"), {
      headers: bearer(),
      body: { name: "desk", duration: "P1D" },
    });
    const { api_key, api_key_id } = made.json() as { api_key: string; api_key_id: string };
    const byKey = (): Promise<LightMyRequestResponse> =>
      send("POST", "/v1/console/session", { headers: own, body: { api_key } });
    const [one, two] = [await byKey(), await byKey()].map((signedIn) =>
      toCookie(String(signedIn.headers["set-cookie"])),
    ) as [string, string];
    const listed = await send("GET", inside("organization/console_session"), { headers: bearer() });
    const { sessions } = listed.json() as { sessions: { id: string; api_key_id: string }[] };
    const ofKey = sessions.filter((each) => each.api_key_id === api_key_id);
    expect(ofKey).toHaveLength(2);
    const path = inside(`organization/console_session/${ofKey[0]?.id}`);
    expect((await send("DELETE", path, { headers: bearer() })).statusCode).toBe(204);
    expect([await check(one), await check(two)].sort()).toEqual([200, 401]);
    await send("DELETE", inside(`organization/api_key/${api_key_id}/`), { headers: bearer() });
    expect([await check(one), await check(two)]).toEqual([401, 401]);
    expect((await byKey()).statusCode).toBe(401);
    const none = await send("GET", "/v1/console/session", { headers: { cookie: two } });
    expect(none.json()).toEqual({ organizations: [] });
  });
});
