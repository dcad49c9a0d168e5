export { type FetchGuards, type FetchOptions, McpFetch } from "./fetch.ts";
export { type HttpDoor, type HttpOptions, serveHttp } from "./http.ts";
export { type McpDoor, type McpOptions, openMcp } from "./server.ts";
export { serveStdio } from "./stdio.ts";
