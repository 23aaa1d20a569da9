#!/usr/bin/env node
import "@haft/cli/bin";
