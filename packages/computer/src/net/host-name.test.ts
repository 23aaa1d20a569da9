import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLocalName, isLoopbackName, readHost } from "./host-name.ts";

describe("readHost", () => {
  it.each([
    ["example.com", "example.com"],
    ["EXAMPLE.Com", "example.com"],
    ["example.com.", "example.com"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["a-b.c--d.example", "a-b.c--d.example"],
    ["localhost", "localhost"],
    ["1.example", "1.example"],
    [`${"a".repeat(63)}.example`, `${"a".repeat(63)}.example`],
  ])("reads the name %j as %j", (text, host) => {
    expect(readHost(text)).toBe(host);
  });

  it.each([
    ["127.0.0.1", "127.0.0.1"],
    ["127.1", "127.0.0.1"],
    ["127.0.1", "127.0.0.1"],
    ["2130706433", "127.0.0.1"],
    ["0x7f000001", "127.0.0.1"],
    ["0X7F.1", "127.0.0.1"],
    ["0x7f.0x0.0x0.0x1", "127.0.0.1"],
    ["0177.0.0.01", "127.0.0.1"],
    ["017700000001", "127.0.0.1"],
    ["127.0.0.1.", "127.0.0.1"],
    ["0", "0.0.0.0"],
    ["[::1]", "::1"],
    ["::1", "::1"],
    ["0:0::0:1", "::1"],
    ["::FFFF:127.0.0.1", "::ffff:7f00:1"],
    ["[2001:DB8::0001]", "2001:db8::1"],
  ])("knows the address in %j as %j", (text, host) => {
    expect(readHost(text)).toBe(host);
  });

  it.each([
    ...["", ".", "..", "a..b", ".a", "a b", "a_b.example", "-a.example", "a-.example", "a/b"],
    ...["a\0.example", "a\n.example", "a\t", " a", "a:80", "user@a", "a?b", "a#b", "a%2eb", "*"],
    ...["*.example", "bücher.example", "ｅxample.com", "１２７.0.0.1", "example。com", "a\u200b.b"],
    ...["256.256.256.256", "1.2.3.4.5", "1.2.3.999", "999999999999", "[::1", "::1]", "[]"],
    ...["[example.com]", "[127.0.0.1]", "fe80::1%eth0", "[fe80::1%25eth0]", "[[::1]]", "::g"],
    ...[`${"a".repeat(64)}.example`, `${"a.".repeat(127)}toolong`, "xn--"],
  ])("rejects %j as a host", (text) => {
    expect(readHost(text)).toBeUndefined();
  });

  it("gives what it reads again, and never anything but a plain name or an address", () => {
    const junk = fc.oneof(fc.string({ unit: "binary" }), fc.domain(), fc.ipV4Extended(), fc.ipV6());
    fc.assert(
      fc.property(junk, (text) => {
        const host = readHost(text);
        if (host === undefined) return;
        expect(readHost(host)).toBe(host);
        expect(host).toMatch(isIP(host) === 6 ? /^[0-9a-f:]+$/u : /^[a-z0-9.-]{1,253}$/u);
        expect(host.endsWith(".")).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("local names", () => {
  it.each(["localhost", "a.localhost", "a.b.localhost"])("%s is this machine", (name) => {
    expect(isLoopbackName(name)).toBe(true);
    expect(isLocalName(name)).toBe(true);
  });

  it.each(["intranet", "printer.local", "metadata.google.internal", "nas.home.arpa"])(
    "%s means something only where one is",
    (name) => {
      expect(isLocalName(name)).toBe(true);
      expect(isLoopbackName(name)).toBe(false);
    },
  );

  it.each(["localhost.example.com", "notlocalhost.example", "mylocal.example", "1.2.3.4", "::1"])(
    "%s does not",
    (name) => {
      expect(isLocalName(name)).toBe(false);
      expect(isLoopbackName(name)).toBe(false);
    },
  );
});
