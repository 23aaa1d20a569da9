import { describe, expect, it } from "vitest";
import { parseAllowedHost } from "./allowed-host.ts";
import { egressEnvironment } from "./egress-environment.ts";

describe("egressEnvironment", () => {
  it("names the proxy in every way that programs look for it", () => {
    expect(egressEnvironment("http://127.0.0.1:3128", [])).toEqual({
      HTTP_PROXY: "http://127.0.0.1:3128",
      HTTPS_PROXY: "http://127.0.0.1:3128",
      ALL_PROXY: "http://127.0.0.1:3128",
      NO_PROXY: "localhost,127.0.0.1,::1",
      http_proxy: "http://127.0.0.1:3128",
      https_proxy: "http://127.0.0.1:3128",
      all_proxy: "http://127.0.0.1:3128",
      no_proxy: "localhost,127.0.0.1,::1",
      NODE_USE_ENV_PROXY: "1",
    });
  });

  it("sends granted hosts to the proxy", () => {
    const allowed = ["localhost:3000", "[::1]:3000"].map(parseAllowedHost);
    expect(egressEnvironment("http://x", allowed)).toMatchObject({ NO_PROXY: "127.0.0.1" });
  });
});
