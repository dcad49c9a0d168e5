#!/usr/bin/env node
// Old Nodes must be able to read this file to hear what is wrong, so it keeps to the syntax of Node 10.
"use strict";

var version = process.versions.node.split(".").map(Number);
var entry = __dirname + "/../dist/cli/main.js";

if (version[0] < 22 || (version[0] === 22 && version[1] < 18)) {
  stop(
    "suture needs Node 22.18 or newer and this is " +
      process.versions.node +
      "; to run it anyway: npx -y -p node@24 -p suture -- suture ...",
  );
} else if (!require("fs").existsSync(entry)) {
  stop("suture is not built in this checkout: run `npm run build` first");
} else {
  import("../dist/cli/main.js");
}

function stop(line) {
  process.stderr.write(line + "\n");
  process.exitCode = 2;
}
