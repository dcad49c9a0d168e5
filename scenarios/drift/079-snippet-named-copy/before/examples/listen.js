import { listen } from "mallard";

const server = listen({ port: 3000 });

server.on("request", (request, answer) => {
  answer.end("hello");
});
