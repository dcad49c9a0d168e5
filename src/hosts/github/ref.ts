import { z } from "zod";

/** The id of a commit, a tree or a blob. */
export const sha = z.string().regex(/^[0-9a-f]{40,64}$/);

/** The commit that a branch points to. */
export const refSchema = z.object({ object: z.object({ sha }) }).transform(({ object }) => object.sha);
