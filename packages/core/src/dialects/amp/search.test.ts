import { describe, expect, it } from "vitest";
import { makeResultEnvironment } from "../../test-support/make-result-environment.ts";
import { readWebPage } from "./search.ts";

const show = (data: object): unknown => readWebPage.toData?.(data, {}, makeResultEnvironment());

describe("what read_web_page gives", () => {
  it("is the text of the page", () => {
    expect(show({ url: "https://a.io/", status: 200, text: "# Page\n" })).toBe("# Page\n");
  });

  it("is that and what there is to know beside it", () => {
    expect(show({ text: "Gone.", note: "The server answered with status 404." })).toBe(
      "Gone.\n\n[The server answered with status 404.]",
    );
  });

  it("is whatever there is where there is no text", () => {
    expect(show({ url: "x" })).toEqual({ url: "x" });
  });
});
