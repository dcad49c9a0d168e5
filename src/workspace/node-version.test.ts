import { expect, test } from "vitest";
import { requireNode } from "./node-version.ts";

test.each([
  ["20.19.0", false],
  ["22.17.9", false],
  ["22.18.0", true],
  ["24.1.0", true],
])("Node %s is told when it is too old", (version, isEnough) => {
  const attempt = () => requireNode(version);
  if (isEnough) attempt();
  else expect(attempt).toThrow(`Suture needs Node 22.18 or newer; this is Node ${version}.`);
});
