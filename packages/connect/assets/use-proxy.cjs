// Loaded into the programs of MCP servers that may reach hosts: makes Node versions that do not know
// NODE_USE_ENV_PROXY (before 22.21 and 24) send their requests through the proxy that HTTPS_PROXY names.
"use strict";

const http = require("node:http");
const https = require("node:https");
const tls = require("node:tls");

const [major, minor] = process.versions.node.split(".").map(Number);
const isNewer = major >= 24 || (major === 22 && minor >= 21);
const proxy = process.env.HTTPS_PROXY ? new URL(process.env.HTTPS_PROXY) : undefined;
const direct = (process.env.NO_PROXY ?? "").split(",");

if (proxy !== undefined && !(isNewer && process.env.NODE_USE_ENV_PROXY === "1")) useProxy();

function useProxy() {
  http.globalAgent = createAgent(http.Agent, (socket) => socket);
  https.globalAgent = createAgent(https.Agent, secure);
  // Reading this global loads Node's own fetch, which then has a dispatcher to replace.
  void globalThis.Headers;
  const key = Symbol.for("undici.globalDispatcher.1");
  const Dispatcher = globalThis[key]?.constructor;
  if (Dispatcher === undefined) return;
  const connect = ({ hostname, port, protocol, servername }, callback) => {
    const isSecure = protocol === "https:";
    const target = { host: hostname, port: port || (isSecure ? 443 : 80), servername };
    openTunnel(target, (error, socket) => {
      if (error) callback(error);
      else callback(null, isSecure ? secure(socket, target) : socket);
    });
  };
  globalThis[key] = new Dispatcher({ connect });
}

function createAgent(Agent, wrap) {
  return new (class extends Agent {
    createConnection(options, callback) {
      if (options.socketPath || direct.includes(options.host)) {
        return super.createConnection(options, callback);
      }
      openTunnel(options, (error, socket) => {
        if (error) callback(error);
        else callback(null, wrap(socket, options));
      });
      return undefined;
    }
  })({ keepAlive: true });
}

function secure(socket, { host, servername, ...options }) {
  return tls.connect({ ...options, socket, servername: servername || host });
}

function openTunnel({ host, port }, callback) {
  const name = host.replace(/^\[|\]$/g, "");
  if (direct.includes(name)) {
    const socket = require("node:net").connect({ host: name, port });
    socket.once("connect", () => callback(null, socket));
    socket.once("error", callback);
    return;
  }
  const path = `${name.includes(":") ? `[${name}]` : name}:${port}`;
  const request = http.request({
    agent: new http.Agent(),
    host: proxy.hostname,
    port: proxy.port,
    method: "CONNECT",
    path,
    headers: { host: path },
  });
  request.once("error", callback);
  request.once("connect", ({ statusCode, statusMessage }, socket) => {
    if (statusCode === 200) return callback(null, socket);
    socket.destroy();
    callback(new Error(`The proxy refused ${path}: ${statusCode} ${statusMessage}`));
  });
  request.end();
}
