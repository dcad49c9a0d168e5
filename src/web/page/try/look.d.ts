// The build puts src/web/try/look.ts here: it reads code, which the page's own files do not.
declare module "suture:look" {
  export function look(sample: import("./looked.ts").Sample): Promise<import("./looked.ts").Looked>;
}
