// The script of the broker process.
import { closeInherited } from "../sandbox/close-inherited.ts";
import { serveBroker } from "./serve-broker.ts";

closeInherited();
serveBroker();
