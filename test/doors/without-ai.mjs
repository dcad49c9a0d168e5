import { registerHooks } from "node:module";

// Makes a process believe that the AI SDK and its providers are not installed.
registerHooks({
  resolve(name, context, next) {
    if (name !== "ai" && !name.startsWith("@ai-sdk/")) return next(name, context);
    throw Object.assign(new Error(`Cannot find package '${name}'`), { code: "ERR_MODULE_NOT_FOUND" });
  },
});
