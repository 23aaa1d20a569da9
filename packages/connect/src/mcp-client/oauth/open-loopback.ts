import { timingSafeEqual } from "node:crypto";
import type { AddressInfo } from "node:net";

/** A local port to which the browser is redirected after a login. */
export interface Loopback {
  readonly url: string;
  /** Waits for the redirect with this state and ignores all others. */
  receive(state: () => string | undefined, signal: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1, on the given port if it is free. */
export async function openLoopback(wanted?: number): Promise<Loopback> {
  const { createServer } = await import("node:http");
  const answers: URLSearchParams[] = [];
  let waiting: (() => void) | undefined;
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "", "http://127.0.0.1");
    const isAnswer = request.method === "GET" && url?.pathname === path;
    if (isAnswer && answers.length < maxAnswers) {
      answers.push(url.searchParams);
      waiting?.();
    }
    response.writeHead(isAnswer ? 200 : 404, {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      Connection: "close",
    });
    response.end(isAnswer ? "Login complete. You can close this page.\n" : "Not found.\n");
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => resolve(server.off("error", reject) && undefined));
    });
  await listen(wanted ?? 0).catch((error) => {
    if (wanted === undefined) throw error;
    return listen(0);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    receive: (state, signal) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          for (let answer = answers.shift(); answer !== undefined; answer = answers.shift()) {
            if (!isSame(answer.get("state"), state())) continue;
            // Later redirects belong to the next call of `receive`.
            waiting = undefined;
            resolve(answer);
            return;
          }
        };
        waiting = look;
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        if (signal.aborted) reject(signal.reason as Error);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const path = "/callback";
const maxAnswers = 100;

function isSame(given: string | null, expected: string | undefined): boolean {
  if (given === null || expected === undefined) return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
