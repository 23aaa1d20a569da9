import { createMetrics } from "./metrics.ts";

describe("metrics", () => {
  it("show what was recorded, each platform's by itself", async () => {
    const metrics = createMetrics();
    const others = createMetrics();
    metrics.recordRequest("GET /a", 200, 0.002);
    metrics.recordRequest("GET /a", 200, 0.2);
    metrics.recordRequest("GET /a", 404, 0.2);
    const invocation = { toolId: "a", version: "1.0.0", seconds: 0.01 };
    metrics.recordInvocation({ ...invocation, result: "succeeded", mode: "regular" });
    metrics.recordInvocation({
      ...invocation,
      result: "failed",
      mode: "conversation-simulation",
    });
    metrics.recordPublish("published", 2.5);
    metrics.recordRateLimited("/a");
    const text = await metrics.text();
    for (const line of [
      'haft_http_request_duration_seconds_bucket{le="0.0025",route="GET /a",status="200"} 1',
      'haft_http_request_duration_seconds_bucket{le="+Inf",route="GET /a",status="200"} 2',
      'haft_http_request_duration_seconds_count{route="GET /a",status="404"} 1',
      'haft_invocations_total{result="succeeded",mode="regular"} 1',
      'haft_invocations_total{result="failed",mode="conversation-simulation"} 1',
      'haft_invocation_duration_seconds_count{result="succeeded",mode="regular"} 1',
      'haft_tool_invocation_duration_seconds_count{tool="a",version="1.0.0",result="failed"} 1',
      'haft_publish_duration_seconds_sum{result="published"} 2.5',
      'haft_rate_limited_total{route="/a"} 1',
    ]) {
      expect(text.split("\n")).toContain(line);
    }
    expect(await others.text()).not.toContain("GET /a");
  });

  // 004:29: latency, errors and usage by version.
  it("have a limited number of tools and versions", async () => {
    const metrics = createMetrics();
    for (let patch = 0; patch < 1_000; patch++) {
      const version = `1.0.${patch}`;
      metrics.recordInvocation({
        ...{ toolId: "a", version, seconds: 1, result: "succeeded", mode: "regular" },
      });
    }
    const lines = (await metrics.text()).split("\n");
    const counts = lines.filter((line) => /^haft_tool_invocation.*_count/u.test(line));
    expect(counts).toHaveLength(101);
    expect(counts.at(-1)).toMatch(/tool="other",version="other".* 900$/u);
  });

  it("ask the runner whenever somebody looks", async () => {
    const metrics = createMetrics();
    let busy = 1;
    metrics.watchRunner(() => ({ workers: 4, blank: 2, busy, waiting: 0 }));
    expect(await metrics.text()).toContain('haft_runner_workers{state="busy"} 1');
    busy = 3;
    expect(await metrics.text()).toContain('haft_runner_workers{state="busy"} 3');
  });
});
