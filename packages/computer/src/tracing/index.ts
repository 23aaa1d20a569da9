export { type TracingOptions, toTracing } from "./to-tracing.ts";
