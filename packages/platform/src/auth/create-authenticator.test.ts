import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { createApiKeys } from "../organizations/api-keys.ts";
import { createOrganization } from "../organizations/create-organization.ts";
import { requireLocalPrincipal } from "../organizations/local-principal.ts";
import { createRoles } from "../organizations/roles.ts";
import { createUsers } from "../organizations/users.ts";
import { Problem } from "../problem.ts";
import { settingContext } from "../secrets/sealed-context.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { createAuthenticator } from "./create-authenticator.ts";
import { permissions } from "./permissions.ts";
import type { Principal } from "./principal.ts";
import { signIn } from "./sign-in.ts";
import { createTestParts } from "./test-support/create-test-parts.ts";
import { openTokenSecret } from "./token-secret.ts";
import { createTokens } from "./tokens.ts";

const hour = 3_600_000;

describeStores("createAuthenticator", (stores) => {
  const open = async () => {
    const parts = createTestParts(await stores.open());
    const tokens = createTokens(parts);
    const authenticator = createAuthenticator(parts, tokens);
    const access = await createOrganization(parts, "one");
    const other = await createOrganization(parts, "two");
    const administrator = await requireLocalPrincipal(parts, "one");
    const authenticate = async (header: string | undefined, organization = access.organization) =>
      authenticator.authenticate(header, organization);
    const tokenOf = async (key: { readonly keyId: string; readonly apiKey: string }) => {
      const { organization, user_id: userId } = access;
      return (await signIn(parts, tokens, { organization, userId, ...key })).token;
    };
    const newKey = (roleName = "DefaultAdministratorRole", durationMs = hour) =>
      createApiKeys(parts).create(administrator, { name: null, durationMs, roleName });
    return { parts, tokens, access, other, administrator, authenticate, tokenOf, newKey };
  };

  it("knows a key, a token, and both as the password of Basic", async () => {
    const { access, authenticate, tokenOf } = await open();
    const { organization, user_id, api_key_id: keyId, api_key: apiKey } = access;
    const token = await tokenOf({ keyId, apiKey });
    const user = `${organization}_${user_id}`;
    for (const header of [
      `Bearer ${apiKey}`,
      `bearer  ${apiKey} `,
      `Bearer ${token}`,
      toBasic(`${user}:${apiKey}`),
      toBasic(`${user}:${token}`).replace("Basic", "BASIC"),
    ]) {
      // The second time from memory.
      for (const time of [1, 2]) {
        const principal = await authenticate(header);
        expect(principal, `${header} ${time}`).toMatchObject({
          organization,
          userId: user_id,
          keyId,
          role: "DefaultAdministratorRole",
        });
        expect(permissions.every((permission) => principal.may(permission))).toBe(true);
      }
    }
  });

  it("refuses whatever is no credential, and says which kind it wants", async () => {
    const { access, other, authenticate, tokenOf } = await open();
    const { organization, user_id, api_key_id: keyId, api_key: apiKey } = access;
    const token = await tokenOf({ keyId, apiKey });
    const [head = "", body = ""] = token.split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const header of [
      undefined,
      "",
      "Bearer",
      "Bearer ",
      apiKey,
      `Bearer ${apiKey.slice(0, -1)}`,
      `Bearer ${apiKey}x`,
      `Bearer ${apiKey.toUpperCase()}`,
      `Bearer ${apiKey} ${apiKey}`,
      `Digest ${apiKey}`,
      `Bearer ${head}.${body}.`,
      `Bearer ${none}.${body}.`,
      `Bearer ${token.slice(0, -2)}`,
      `Bearer ${"a".repeat(100_000)}`,
      `Bearer ${keyId}`,
      toBasic(apiKey),
      toBasic(`:${apiKey}`),
      toBasic(`${user_id}:${apiKey}`),
      toBasic(`${organization}_:${apiKey}`),
      toBasic(`${organization}_${user_id}:`),
      toBasic(`${organization}_${other.user_id}:${apiKey}`),
      toBasic(`${other.organization}_${user_id}:${apiKey}`),
      toBasic(`${other.organization}_${other.user_id}:${token}`),
      toBasic(`${organization}_${user_id}:${other.api_key}`),
      "Basic !!!",
    ]) {
      const problem = await requireProblem(authenticate(header));
      expect([problem.status, problem.headers], header).toEqual([
        401,
        { "www-authenticate": "Bearer" },
      ]);
      expect(problem.message).not.toContain(apiKey);
    }
  });

  it("answers for another organization as for one that does not exist", async () => {
    const { access, other, authenticate, tokenOf } = await open();
    const { organization, user_id, api_key_id: keyId, api_key: apiKey } = access;
    const token = await tokenOf({ keyId, apiKey });
    const sentences = new Set<string>();
    for (const path of [other.organization, "f".repeat(24), "one", "", "../x"]) {
      for (const secret of [`Bearer ${apiKey}`, `Bearer ${token}`]) {
        const problem = await requireProblem(authenticate(secret, path));
        expect(problem.status).toBe(404);
        sentences.add(problem.message);
      }
      const basic = toBasic(`${organization}_${user_id}:${apiKey}`);
      expect((await requireProblem(authenticate(basic, path))).status).toBe(404);
      // Without a valid credential not even that is revealed.
      expect((await requireProblem(authenticate("Bearer haft_x", path))).status).toBe(401);
    }
    expect([...sentences]).toEqual(["There is no such organization."]);
  });

  it("answers at once from memory while nothing changes", async () => {
    const { parts, access, tokenOf } = await open();
    const authenticator = createAuthenticator(parts, createTokens(parts));
    const { organization, api_key_id: keyId, api_key: apiKey } = access;
    const token = await tokenOf({ keyId, apiKey });
    for (const secret of [apiKey, token]) {
      const ask = () => authenticator.authenticate(`Bearer ${secret}`, organization);
      await ask();
      expect(ask() instanceof Promise).toBe(parts.store.kind === "postgres");
      parts.store.touch();
      const asked = ask();
      expect(asked).toBeInstanceOf(Promise);
      await asked;
    }
  });

  it("ends keys and their tokens when they expire, also those in memory", async () => {
    const { parts, authenticate, tokenOf, newKey } = await open();
    const key = await newKey(undefined, hour / 2);
    const token = await tokenOf(key);
    for (const secret of [key.apiKey, token]) await authenticate(`Bearer ${secret}`);
    parts.advance(hour / 2 - 1_000);
    for (const secret of [key.apiKey, token]) await authenticate(`Bearer ${secret}`);
    parts.advance(1_000);
    for (const secret of [key.apiKey, token]) {
      expect((await requireProblem(authenticate(`Bearer ${secret}`))).status).toBe(401);
    }
  });

  it("ends a token after its time, though the key lives on", async () => {
    const { parts, access, authenticate, tokenOf } = await open();
    const token = await tokenOf({ keyId: access.api_key_id, apiKey: access.api_key });
    parts.advance(parts.settings.tokenSeconds * 1_000 - 1_000);
    await authenticate(`Bearer ${token}`);
    parts.advance(1_000);
    expect((await requireProblem(authenticate(`Bearer ${token}`))).status).toBe(401);
    await authenticate(`Bearer ${access.api_key}`);
  });

  it("ends a key and its tokens at once when it is deleted", async () => {
    const { parts, administrator, authenticate, tokenOf, newKey } = await open();
    const key = await newKey();
    const token = await tokenOf(key);
    for (const secret of [key.apiKey, token]) await authenticate(`Bearer ${secret}`);
    await createApiKeys(parts).delete(administrator, key.keyId);
    for (const secret of [key.apiKey, token]) {
      expect((await requireProblem(authenticate(`Bearer ${secret}`))).status).toBe(401);
    }
  });

  it("gives exactly the role's permissions, and others as soon as the role has others", async () => {
    const { parts, administrator, authenticate, tokenOf, newKey } = await open();
    const role = await createRoles(parts).create(administrator, {
      name: "invoker",
      permissions: ["Tool:InvokeTool", "Tool:GetTool"],
    });
    const key = await newKey("invoker");
    const token = await tokenOf(key);
    const allowed = async (secret: string) => {
      const principal = await authenticate(`Bearer ${secret}`);
      return permissions.filter((permission) => principal.may(permission));
    };
    for (const secret of [key.apiKey, token]) {
      expect(await allowed(secret)).toEqual(["Tool:GetTool", "Tool:InvokeTool"]);
    }
    await parts.store.db
      .updateTable("roles")
      .set({ permissions: JSON.stringify(["Tool:GetTool", "Gone:Gone"]) })
      .where("id", "=", role.id)
      .execute();
    parts.store.touch();
    for (const secret of [key.apiKey, token])
      expect(await allowed(secret)).toEqual(["Tool:GetTool"]);
  });

  it("ends the tokens of a key that has got another role", async () => {
    const { parts, administrator, authenticate, tokenOf, newKey } = await open();
    const role = await createRoles(parts).create(administrator, { name: "none", permissions: [] });
    const key = await newKey();
    const token = await tokenOf(key);
    await parts.store.db
      .updateTable("api_keys")
      .set({ role_id: role.id })
      .where("key_id", "=", key.keyId)
      .execute();
    parts.store.touch();
    expect((await requireProblem(authenticate(`Bearer ${token}`))).status).toBe(401);
    expect((await authenticate(`Bearer ${key.apiKey}`)).role).toBe("none");
  });

  it("takes only tokens of this installation", async () => {
    const { parts, access, authenticate, tokenOf } = await open();
    const { organization, user_id, api_key_id: keyId, api_key: apiKey } = access;
    const token = await tokenOf({ keyId, apiKey });
    const [head = "", body = ""] = token.split(".");
    const sign = (secret: Uint8Array | string, claims: string): string =>
      `${head}.${claims}.${createHmac("sha256", secret).update(`${head}.${claims}`).digest("base64url")}`;
    const secret = await openTokenSecret(parts);
    expect(sign(secret, body)).toBe(token);
    const change = (changes: object): string => {
      const claims = JSON.parse(Buffer.from(body, "base64url").toString());
      return Buffer.from(JSON.stringify({ ...claims, ...changes })).toString("base64url");
    };
    for (const wrong of [
      sign("guess", body),
      sign("", body),
      sign(secret, change({ org: "f".repeat(24) })),
      sign(secret, change({ sub: "f".repeat(24) })),
      sign(secret, change({ key: "f".repeat(24) })),
      sign(secret, change({ role: "f".repeat(24) })),
      sign(secret, change({ key: { a: 1 } })),
      sign(secret, change({ exp: 1 })),
      sign(secret, change({ exp: undefined })),
      sign(secret, change({ iss: "other" })),
    ]) {
      expect((await requireProblem(authenticate(`Bearer ${wrong}`))).status, wrong).toBe(401);
    }
    // Another process on the same store takes it.
    const elsewhere = createAuthenticator(parts);
    await expect(elsewhere.identify(`Bearer ${token}`)).resolves.toMatchObject({ keyId });
    expect(Buffer.from(body, "base64url").toString()).toContain(user_id);
    expect(Buffer.from(body, "base64url").toString()).not.toContain(apiKey);
    expect(JSON.parse(Buffer.from(body, "base64url").toString()).org).toBe(organization);
  });

  it("says at the start that the master key is not the store's", async () => {
    const { parts, tokenOf, access } = await open();
    await tokenOf({ keyId: access.api_key_id, apiKey: access.api_key });
    const { secrets } = createTestParts(parts.store);
    await expect(openTokenSecret({ store: parts.store, secrets })).rejects.toThrow(
      /sealed with the master key [0-9a-f]{16}, .* HAFT_MASTER_KEY/,
    );
  });

  it("makes one secret for tokens, however many ask at once", async () => {
    const { parts } = await open();
    const secrets = await Promise.all([1, 2, 3, 4].map(() => openTokenSecret(parts)));
    expect(new Set(secrets.map((each) => Buffer.from(each).toString("hex"))).size).toBe(1);
    const row = await parts.store.db.selectFrom("settings").selectAll().executeTakeFirstOrThrow();
    expect(row.value).toMatch(/^v1\./);
    expect(parts.secrets.open(row.value, settingContext(row.name))).toHaveLength(43);
  });

  it("signs in with a key, its id and its user", async () => {
    const { parts, tokens, access, other, administrator } = await open();
    const { organization, user_id: userId, api_key_id: keyId, api_key: apiKey } = access;
    const right = { organization, userId, keyId, apiKey };
    const { expiresAt, token } = await signIn(parts, tokens, right);
    expect(expiresAt).toBe(parts.now() + hour);
    expect(await tokens.verify(token)).toMatchObject({ organization, userId, keyId, expiresAt });
    const second = await createUsers(parts).create(administrator, "second");
    const sentences = new Set<string>();
    for (const wrong of [
      { apiKey: other.api_key },
      { apiKey: "" },
      { apiKey: "haft_é" },
      { keyId: other.api_key_id },
      { keyId: "" },
      { userId: other.user_id },
      { userId: second.id },
      // The response does not reveal which organizations exist.
      { apiKey: "haft_x", organization: other.organization },
      { apiKey: "haft_x", organization: "f".repeat(24) },
    ]) {
      const problem = await requireProblem(signIn(parts, tokens, { ...right, ...wrong }));
      expect([problem.status, problem.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
      sentences.add(problem.message);
    }
    expect(sentences.size).toBe(1);
    for (const path of [other.organization, "f".repeat(24)]) {
      const elsewhere = signIn(parts, tokens, { ...right, organization: path });
      const problem = await requireProblem(elsewhere);
      expect([problem.status, problem.message]).toEqual([404, "There is no such organization."]);
    }
  });

  it("refuses an expired key, and signs in no longer than the key is valid", async () => {
    const { parts, tokens, access, newKey } = await open();
    const { organization, user_id: userId } = access;
    const key = await newKey(undefined, 90_500);
    const request = { organization, userId, ...key };
    expect((await signIn(parts, tokens, request)).expiresAt).toBe(parts.now() + 90_000);
    parts.advance(90_500);
    expect((await requireProblem(signIn(parts, tokens, request))).status).toBe(401);
  });
});

function toBasic(text: string): string {
  return `Basic ${Buffer.from(text).toString("base64")}`;
}

async function requireProblem(asked: Promise<Principal | unknown>): Promise<Problem> {
  const answer = await asked.catch((error: unknown) => error);
  if (answer instanceof Problem) return answer;
  throw new Error("This was to be refused.", { cause: answer });
}
