import type { JsonSchema } from "@haft/contract";
import { listOf, moment, objectOf, text } from "../organizations/route-schemas.ts";
import { count, described, orNull } from "./session-schemas.ts";

export const changeRequest: JsonSchema = {
  type: "object",
  properties: {
    call: described("ID of a call. Default: the last one. To redo: a call that undid something.", {
      type: "integer",
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  },
};

const undoneList = listOf({
  type: "object",
  properties: { path: text, action: text, diff: text },
  required: ["path", "action"],
});

export const undoneChanges: JsonSchema = objectOf({
  undone: undoneList,
  message: text,
  call: described("ID of the call that did it, for redo.", orNull(count)),
  call_id: text,
});

export const undoPreview: JsonSchema = objectOf({ undone: undoneList });

export const changeConflict: JsonSchema = {
  ...objectOf({
    detail: text,
    path: orNull(text),
    since: listOf(objectOf({ call_id: text, tool: text, title: text, at: moment })),
  }),
  description: "Nothing was changed. `since`: later calls that changed the same path.",
};

export const forkRequest: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string", pattern: "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$" },
    at: described("The last message to keep. Default: all.", {
      type: "integer",
      minimum: 1,
      maximum: 2 ** 31 - 1,
    }),
  },
};

export const fork: JsonSchema = objectOf({
  id: text,
  name: text,
  forked_from: text,
  entries: count,
});
