import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../src/client.ts";

test("a message is handed over", async () => {
  process.env.POSTBOX_TOKEN = "t";
  const receipt = await createClient().sendMail({ to: "a@example.org", subject: "s", text: "t" });
  assert.equal(receipt.region, "eu");
});
