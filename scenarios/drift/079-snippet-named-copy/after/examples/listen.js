import { listen } from "mallard";

const server = listen({ port: 3000, host: "0.0.0.0" });

server.on("request", (request, answer) => {
  answer.end("hello");
});
