export { type HttpDoor, type HttpOptions, serveHttp } from "./http.ts";
export { type McpOptions, openMcp } from "./server.ts";
export { serveStdio } from "./stdio.ts";
