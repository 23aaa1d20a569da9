import { describe, expect, it } from "vitest";
import { findPageKind, readMediaType } from "./media-type.ts";

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));

describe("readMediaType", () => {
  it.each([
    ["text/html", "text/html", undefined],
    ["Text/HTML; Charset=UTF-8", "text/html", "UTF-8"],
    ['text/plain;format=flowed;charset="koi8-r"', "text/plain", "koi8-r"],
    ["application/ld+json", "application/ld+json", undefined],
    ["", "", undefined],
    ["nonsense", "", undefined],
    ["<script>/x", "", undefined],
  ])("reads %j", (header, type, charset) => {
    expect(readMediaType(header)).toEqual({ type, charset });
  });
});

describe("findPageKind", () => {
  it.each([
    ["text/html", "html"],
    ["application/xhtml+xml", "html"],
    ["text/plain", "text"],
    ["text/markdown", "text"],
    ["text/csv", "text"],
    ["application/rss+xml", "text"],
    ["application/xml", "text"],
    ["image/svg+xml", "text"],
    ["application/javascript", "text"],
    ["application/x-yaml", "text"],
    ["application/json", "json"],
    ["application/problem+json", "json"],
    ["application/vnd.api+json", "json"],
    ["application/pdf", "pdf"],
    ["image/png", "binary"],
    ["video/mp4", "binary"],
    ["application/zip", "binary"],
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "binary"],
    ["application/wasm", "binary"],
  ])("knows %s as %s", (type, kind) => {
    expect(findPageKind(type, bytes("whatever"))).toBe(kind);
  });

  it.each([
    ["", "%PDF-1.7", "pdf"],
    ["application/octet-stream", "%PDF-1.7", "pdf"],
    ["application/octet-stream", "\x89PNG\r\n\x1a\n", "binary"],
    ["application/octet-stream", "plain words", "text"],
    ["application/x-unheard-of", "plain words", "text"],
    ["", "\n <!DOCTYPE html><p>", "html"],
    ["", "\xef\xbb\xbf<html>", "html"],
    ["", '{"a":1}', "json"],
    ["", "# Title", "text"],
  ])("looks at what is said to be %j and begins with %j", (type, body, kind) => {
    expect(findPageKind(type, bytes(body))).toBe(kind);
  });
});
