import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAllowedHost, isNamed, isOtherPort, parseAllowedHost } from "./allowed-host.ts";

describe("parseAllowedHost", () => {
  it.each([
    ["example.com", "example.com", undefined],
    ["Example.COM.", "example.com", undefined],
    ["example.com:8080", "example.com", 8080],
    ["localhost:3000", "localhost", 3000],
    ["10.0.0.5", "10.0.0.5", undefined],
    ["10.0.0.5:80", "10.0.0.5", 80],
    ["0x7f.1:80", "127.0.0.1", 80],
    ["::1", "::1", undefined],
    ["fd00::1:80", "fd00::1:80", undefined],
    ["[::1]", "::1", undefined],
    ["[::1]:3000", "::1", 3000],
    ["[FD00::1]:443", "fd00::1", 443],
    ["*.example.com", "*.example.com", undefined],
    ["*.Example.com:443", "*.example.com", 443],
  ])("reads %s", (text, host, port) => {
    expect(parseAllowedHost(text)).toEqual({ host, port });
    expect(parseAllowedHost(formatAllowedHost({ host, port }))).toEqual({ host, port });
  });

  it.each([
    ["", /not a host/u],
    ["https://example.com", /is a URL/u],
    ["//example.com", /is a URL/u],
    ["example.com/path", /not a host/u],
    ["*", /Name the host/u],
    ["*:80", /Name the host/u],
    ["*.com", /Name the host/u],
    ["*.10.0.0.1", /Name the host/u],
    ["a.*.example", /Name the host/u],
    ["*example.com", /Name the host/u],
    ["**.example.com", /Name the host/u],
    ["example.com:", /not a host/u],
    ["example.com:0", /not a host/u],
    ["example.com:65536", /not a host/u],
    ["example.com:http", /not a host/u],
    [":80", /not a host/u],
    ["fe80::1%eth0", /not a host/u],
    ["a_b.example", /not a host/u],
    ["a\0b", /not a host/u],
    ["10.0.0.0/8", /not a host/u],
  ])("refuses %j and says what to give", (text, message) => {
    expect(() => parseAllowedHost(text)).toThrow(TypeError);
    expect(() => parseAllowedHost(text)).toThrow(message);
  });

  it("never shows a password", () => {
    for (const text of ["user:hunter2@example.com", "https://user:hunter2@example.com:80/"]) {
      expect(() => parseAllowedHost(text)).toThrow(/without a user or password/u);
      expect(() => parseAllowedHost(text)).not.toThrow(/hunter2/u);
    }
  });

  it("ends in a TypeError or a host, whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        try {
          expect(parseAllowedHost(text).host).not.toBe("");
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }),
    );
  });
});

describe("a host granted by name", () => {
  const allowed = ["intern.example", "port.example:81", "*.wide.example"].map(parseAllowedHost);

  it.each([
    ["intern.example", 80, true],
    ["intern.example", 8080, true],
    ["port.example", 81, true],
    ["port.example", 80, false],
    ["a.wide.example", 80, false],
    ["wide.example", 80, false],
    ["evil-intern.example", 80, false],
    ["a.intern.example", 80, false],
  ])("%s:%i is named: %s", (host, port, expected) => {
    expect(isNamed({ host, port }, allowed)).toBe(expected);
  });

  it.each([
    ["port.example", 80, true],
    ["port.example", 81, false],
    ["intern.example", 80, false],
    ["a.wide.example", 80, false],
    ["other.example", 80, false],
  ])("%s:%i has another port: %s", (host, port, expected) => {
    expect(isOtherPort({ host, port }, allowed)).toBe(expected);
  });
});
