import { expect, test } from "vitest";
import type { Schedule } from "../../../../src/docs/fleet-settings.ts";
import { secondsUntilOpen } from "./schedule.ts";

const hour = 3600;

test.each<[string, Schedule, string, number]>([
  ["without a window it is always open", {}, "2026-11-16T12:00:00Z", 0],
  ["inside a window", { from: "09:00", to: "17:00" }, "2026-11-16T12:00:00Z", 0],
  ["at the start of a window", { from: "12:00", to: "17:00" }, "2026-11-16T12:00:00Z", 0],
  ["at the end of a window", { from: "09:00", to: "12:00" }, "2026-11-16T12:00:00Z", 21 * hour],
  ["before a window", { from: "22:00", to: "06:00" }, "2026-11-16T12:00:00Z", 10 * hour],
  ["after midnight in a window over midnight", { from: "22:00", to: "06:00" }, "2026-11-17T05:59:00Z", 0],
  ["on a day that is wanted", { days: ["mon"] }, "2026-11-16T23:59:00Z", 0],
  ["on a day that is not wanted", { days: ["mon"] }, "2026-11-17T00:00:00Z", 144 * hour],
  ["the night after the only day", { days: ["mon"], from: "22:00", to: "06:00" }, "2026-11-17T03:00:00Z", 0],
  ["the night before it", { days: ["mon"], from: "22:00", to: "06:00" }, "2026-11-16T03:00:00Z", 19 * hour],
  [
    "in another time zone",
    { from: "09:00", to: "17:00", timezone: "Asia/Tokyo" },
    "2026-11-16T12:00:00Z",
    12 * hour,
  ],
])("%s", (_, schedule, now, seconds) => {
  expect(secondsUntilOpen(schedule, new Date(now))).toBe(seconds);
});
