// An MCP service in Hono: own authentication, a folder for each user, the same approvals and limits as everywhere.
import { Hono } from "hono";
import { openSession, type Session, unwrap } from "suture";
import { createMemoryDisk } from "suture/workspace";

const users = new Map([["Bearer 1", "ann"], ["Bearer 2", "bob"]]);
const disks = { ann: createMemoryDisk(), bob: createMemoryDisk() };
disks.bob.put("bob.md", "Bob's\n");
const services = new Map<string, ReturnType<Session["tools"]["mcp"]>>();
for (const [user, disk] of Object.entries(disks))
  services.set(user, unwrap(await openSession({ root: "/", files: disk.process(), mode: "modify" })).tools.mcp());

const app = new Hono().post("/mcp", async ({ req, text }) => {
  const user = users.get(req.header("authorization") ?? "");
  return user === undefined ? text("Who are you?", 401) : services.get(user)!.fetch(req.raw, { user });
});

const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_files", arguments: {} } });
const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const ask = (authorization: string) => app.request("/mcp", { method: "POST", body, headers: { ...headers, authorization } });
console.log((await (await ask("Bearer 2")).text()).includes("bob.md"), (await ask("Bearer 3")).status); // prints: true 401
