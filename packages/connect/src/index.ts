export { addToolSource, type OpenToolSource, type Warn } from "./tool-source.ts";
