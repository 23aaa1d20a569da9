import { describe, expect, it } from "vitest";
import { readAddress } from "./repository-address.ts";

describe("readAddress", () => {
  it.each([
    ["https://example.com/owner/name.git", "https://example.com/owner/name.git", "name"],
    ["https://example.com/owner/name", "https://example.com/owner/name", "name"],
    ["https://example.com/owner/name/", "https://example.com/owner/name", "name"],
    ["HTTPS://Example.COM/Owner/Name.js.git", "https://example.com/Owner/Name.js.git", "Name.js"],
    ["https://example.com:8443/name.git", "https://example.com:8443/name.git", "name"],
    ["owner/name", "https://github.com/owner/name.git", "name"],
    ["0wner/na-me.js", "https://github.com/0wner/na-me.js.git", "na-me.js"],
  ])("reads %j", (text, url, name) => {
    expect(readAddress(text)).toMatchObject({ url, name, scheme: "https" });
  });

  it.each([
    ["http://127.0.0.1:80/a.git", "127.0.0.1"],
    ["https://[::1]/a.git", "::1"],
    ["https://example.com./a.git", "example.com"],
    ["https://0x7f.1/a.git", "127.0.0.1"],
  ])("names the host of %j", (text, host) => {
    expect(readAddress(text).host).toBe(host);
  });

  it.each([
    "https://example.com/a/-x.git",
    "https://example.com/a/%2e%2e%2fx",
    "https://a.io/.git",
  ])("finds no name for a directory in %j", (text) => {
    expect(readAddress(text).name).toBeUndefined();
  });

  it.each([
    ["git@github.com:owner/name.git", /https only.*https:\/\/github\.com\/owner\/name\.git/u],
    ["ssh://git@example.com/owner/name.git", /https only.*https:\/\/example\.com\/owner/u],
    ["git://example.com/name.git", /git addresses are not cloned/u],
    ["file:///etc", /file addresses are not cloned/u],
    ["ext::sh -c id", /ext addresses are not cloned/u],
    ["/etc/repo.git", /no address/u],
    ["../repo", /no address/u],
    ["--upload-pack=id", /no address/u],
    ["-u/x", /no address/u],
    ["", /no address/u],
    ["https://", /https addresses are not cloned/u],
    ["https:/example.com/name", /https addresses are not cloned/u],
    ["https://example.com/a b", /https addresses are not cloned/u],
    ["https://example.com/a\\b", /https addresses are not cloned/u],
    ["https://example.com/a\nb", /https addresses are not cloned/u],
    ["https://example.com", /no repository/u],
    ["https://example.com/", /no repository/u],
    ["https://example.com/a?token=x", /query or a fragment/u],
    ["https://example.com/a#main", /query or a fragment/u],
  ])("refuses %j", (text, message) => {
    expect(() => readAddress(text)).toThrow(
      expect.objectContaining({
        code: "invalid-arguments",
        message: expect.stringMatching(message),
      }),
    );
  });

  it.each([
    "https://user:hunter2@example.com/name.git",
    "https://hunter2@example.com/name.git",
    "https://:hunter2@example.com/name.git",
    "https://user:hunter2@",
    "https://@example.com/name.git",
  ])("refuses credentials in %j and does not show them", (text) => {
    expect(() => readAddress(text)).toThrow(expect.objectContaining({ code: "invalid-arguments" }));
    expect(() => readAddress(text)).not.toThrow(/hunter2/u);
    expect(() => readAddress(`${text}?x=1`)).not.toThrow(/hunter2/u);
  });
});
