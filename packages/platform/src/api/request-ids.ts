import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

const acceptable = /^[\w.-]{1,64}$/u;

/** Makes what names requests: as the caller did in `x-request-id`, or in the order in which they come. */
export function createRequestIds(): (request: Pick<IncomingMessage, "headers">) => string {
  const prefix = randomBytes(6).toString("hex");
  let count = 0;
  return ({ headers }) => {
    const given = headers["x-request-id"];
    if (typeof given === "string" && acceptable.test(given)) return given;
    return `${prefix}-${(++count).toString(36)}`;
  };
}
