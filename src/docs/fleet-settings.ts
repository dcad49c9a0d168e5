import { z } from "zod";

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "expected a time such as 22:00");
const count = z.int().min(0).max(10_000);
const word = z.string().min(1).max(200);

const schedule = z.strictObject({
  every: z
    .int()
    .min(1)
    .max(8760)
    .optional()
    .describe("Hours between the regular checks of a repository. Default: 24."),
  days: z
    .array(z.enum(days))
    .min(1)
    .optional()
    .describe(
      "The days on which edits are published. Default: every day. A window over midnight belongs to its first day.",
    ),
  from: time.optional().describe("The time from which edits are published."),
  to: time.optional().describe("The time until which edits are published."),
  timezone: z
    .string()
    .refine(isTimezone, "expected a time zone such as Europe/Berlin")
    .optional()
    .describe("The time zone of these times. Default: UTC."),
});

const shared = {
  schedule: schedule.optional().describe("When the fleet works on a repository."),
  labels: z.array(word).max(20).optional().describe("The labels of a new pull request."),
  reviewers: z
    .array(z.string().regex(/^[\w.-]+(\/[\w.-]+)?$/, "expected a user, or ORG/TEAM"))
    .max(20)
    .optional()
    .describe("The reviewers of a new pull request: users, or on GitHub teams as `ORG/TEAM`."),
  branch: z
    .string()
    .max(100)
    .regex(
      /^[A-Za-z0-9](?!.*(\.\.|\.lock$|\.$))[A-Za-z0-9._-]*$/,
      "expected letters, digits, dots and hyphens",
    )
    .optional()
    .describe("The name of the branch, after `suture/`. Default: the name of the main branch."),
  title: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}]*$/u, "expected one line")
    .optional()
    .describe("The title of the pull request. `{passages}` and `{pages}` become counts."),
  draft: z.boolean().optional().describe("New pull requests are drafts. Off by default."),
  grouping: z
    .enum(["repository", "page", "cause"])
    .optional()
    .describe(
      "One pull request for the repository, for each page, or for each cause. Default: `repository`.",
    ),
  dashboard: z
    .boolean()
    .optional()
    .describe("Keep an issue with a list of the false passages, and boxes for decisions. Off by default."),
  dryRun: z
    .boolean()
    .optional()
    .describe("Nothing is published until a person approves it. A repository can turn it on, and not off."),
};

const openRequests = count
  .optional()
  .describe("The most open pull requests of a repository. A repository can lower it, and not raise it.");

/** The settings for the fleet that a repository keeps in its own configuration. */
export const repositorySettingsSchema = z.strictObject({
  ...shared,
  limits: z.strictObject({ openRequests }).optional(),
});

/** The settings that a fleet keeps: for all repositories, for an organisation, or for a repository. */
export const fleetSettingsSchema = z.strictObject({
  ...shared,
  describes: z
    .array(z.string().regex(/^[^\s/]+(\/[^\s/]+)+$/, "expected ORG/REPO"))
    .max(100)
    .optional()
    .describe("The repositories whose code the pages of this repository describe, as `ORG/REPO`."),
  limits: z
    .strictObject({
      openRequests,
      organisation: count.optional().describe("The most open pull requests of the whole organisation."),
    })
    .optional(),
});

export type RepositorySettings = z.infer<typeof repositorySettingsSchema>;
export type FleetSettings = z.infer<typeof fleetSettingsSchema>;
export type Schedule = z.infer<typeof schedule>;
export type Weekday = (typeof days)[number];

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
