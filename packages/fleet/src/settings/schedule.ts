import type { Schedule, Weekday } from "suture/service";

const weekdays: readonly Weekday[] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const minutesOfDay = 24 * 60;

/**
 * The seconds until edits may be published; 0 if they may be now. A change of the clock on the way can make the answer
 * wrong by an hour, so the caller asks again then.
 */
export function secondsUntilOpen(schedule: Schedule, now: Date): number {
  const { days = weekdays, from = "00:00", to = "00:00", timezone = "UTC" } = schedule;
  const { day, minutes } = wallClock(now, timezone);
  const start = minutesIn(from);
  const length = (minutesIn(to) - start + minutesOfDay) % minutesOfDay || minutesOfDay;
  // The window of yesterday may reach into today.
  for (let ahead = -1; ahead <= 7; ahead++) {
    const opens = ahead * minutesOfDay + start - minutes;
    const isWanted = days.includes(weekdays[(day + ahead + 7) % 7] ?? "sun");
    if (isWanted && opens + length > 0) return Math.max(0, opens) * 60;
  }
  return 0;
}

function minutesIn(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

function wallClock(now: Date, timeZone: string): { readonly day: number; readonly minutes: number } {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const day = weekdays.indexOf((parts.get("weekday") ?? "").toLowerCase() as Weekday);
  return { day, minutes: Number(parts.get("hour")) * 60 + Number(parts.get("minute")) };
}
