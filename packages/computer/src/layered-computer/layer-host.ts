// The script of the process that works on a layer.

import { serveLayer } from "./serve-layer.ts";

serveLayer();
