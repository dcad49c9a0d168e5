import { createClient } from "../src/client.ts";

const client = createClient({ region: "us", timeout: 10 });
const receipt = await client.sendMail({ to: "ada@example.org", subject: "Hi", text: "It works." });
console.log(receipt.id);
