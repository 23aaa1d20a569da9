export { call, calls, say } from "./answers.ts";
export type { ModelAnswer } from "./model-answer.ts";
export type { ModelRequest } from "./model-request.ts";
export {
  type ModelScript,
  type ModelServer,
  type ModelServerOptions,
  type ServedProvider,
  startModelServer,
} from "./model-server.ts";
