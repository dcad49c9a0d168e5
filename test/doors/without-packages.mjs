import { registerHooks } from "node:module";

// Makes a process believe that no package is installed.
registerHooks({
  resolve(name, context, next) {
    if (/^(?:\.|\/|file:|node:|data:)/.test(name)) return next(name, context);
    throw Object.assign(new Error(`Cannot find package '${name}'`), { code: "ERR_MODULE_NOT_FOUND" });
  },
});
