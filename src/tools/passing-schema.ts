type Schema = Record<string, unknown>;

/** A schema in the form of standardschema.dev, which the AI SDK reads. It lets all input through. */
export type PassingSchema<T> = {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "suture";
    readonly types?: { readonly input: unknown; readonly output: T };
    readonly validate: (value: unknown) => { readonly value: T };
    readonly jsonSchema: { readonly input: () => Schema; readonly output: () => Schema };
  };
};

/** Our tools check their input themselves, so that their refusals read the same for every caller. */
export function passingSchema<T>(schema: Readonly<Record<string, unknown>>): PassingSchema<T> {
  const print = (): Schema => structuredClone(schema) as Schema;
  return {
    "~standard": {
      version: 1,
      vendor: "suture",
      validate: (value) => ({ value: value as T }),
      jsonSchema: { input: print, output: print },
    },
  };
}
