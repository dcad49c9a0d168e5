export interface Options {
  /** Form of the report. */
  format?: "json" | "text" | "html";
}

export function readOptions(given: Options) {
  const { format = "json" } = given;
  return { format };
}
