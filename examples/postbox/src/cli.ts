#!/usr/bin/env node
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createClient } from "./client.ts";
import { welcome } from "./templates/welcome.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: "string" },
    region: { type: "string", default: "eu" },
    verbose: { type: "boolean", default: false },
  },
});

const client = createClient({ region: "eu" });
const receipt = await client.sendMail({ to: positionals[0] ?? "", subject: "Welcome", text: welcome("friend") });
if (values.output) await writeFile(values.output, JSON.stringify(receipt));
if (values.verbose) console.log(receipt.id);
