/** The folder of `test/compile-cache.ts`, for processes that get an environment of their own. */
export const compiled = process.env.NODE_COMPILE_CACHE ?? "";
