// A third-party bot of any game, called by webhook, that moves at random. Usage: node webhook_bot.mjs [PORT]
import { createServer } from "node:http";

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { moves } = JSON.parse(Buffer.concat(chunks));
  const { notation } = moves[Math.floor(Math.random() * moves.length)];
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ notation }));
});

server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
