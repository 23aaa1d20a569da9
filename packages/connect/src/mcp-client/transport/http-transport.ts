import { toErrorMessage } from "@haft/contract/internal";
import type {
  FetchLike,
  JSONRPCMessage,
  StreamableHTTPClientTransport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";
import { limitBody } from "./limit-body.ts";
import { createMessageScreen, type MessageScreen } from "./message-screen.ts";
import type { ServerTransport } from "./server-transport.ts";

const closeTimeoutMs = 500;
const maxMessageLength = 16 * 1024 * 1024;

/** Wraps the SDK's HTTP transport and screens the messages it receives. */
export class HttpTransport implements ServerTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly screen: MessageScreen = createMessageScreen();
  readonly hasPerRequestStream = true;
  readonly inner: StreamableHTTPClientTransport;
  #failure: string | undefined;

  constructor(inner: StreamableHTTPClientTransport) {
    this.inner = inner;
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  start(): Promise<void> {
    this.inner.onmessage = (message) => this.#receive(message);
    this.inner.onclose = () => this.onclose?.();
    this.inner.onerror = (error) => {
      this.#failure = error.message;
      this.onerror?.(error);
    };
    return this.inner.start();
  }

  send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    this.screen.sent(message);
    return this.inner.send(message, options as Parameters<typeof this.inner.send>[1]);
  }

  async close(): Promise<void> {
    const limit = new Promise((resolve) => {
      setTimeout(resolve, closeTimeoutMs).unref();
    });
    await Promise.race([this.inner.terminateSession().catch(() => {}), limit]);
    await this.inner.close();
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion(version);
  }

  keepAlive(): void {}

  async explainEnd(): Promise<string> {
    return this.#failure ?? "its connection was closed";
  }

  async explainFailure(failure: string): Promise<string> {
    return failure;
  }

  #receive(message: JSONRPCMessage): void {
    try {
      const screened = this.screen.receive(message);
      if (screened !== undefined) this.onmessage?.(screened);
    } catch (error) {
      this.#failure = toErrorMessage(error);
      void this.inner.close();
    }
  }
}

/** Limits the length of each message in the responses of a fetch function. */
export function limitFetch(fetch: FetchLike): FetchLike {
  return async (url, init) => limitBody(await fetch(url, init), maxMessageLength);
}
