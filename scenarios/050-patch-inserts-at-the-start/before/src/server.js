import http from "node:http";

const port = 3000;
const host = "localhost";

export function start() {
  const server = http.createServer(handle);
  server.listen(port, host);
  return server;
}

function handle(request, response) {
  response.writeHead(200);
  response.end("ok");
}
