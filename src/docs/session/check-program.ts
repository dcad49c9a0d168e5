import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { CheckReport } from "../check/report.ts";
import type { ReportedPage } from "../claims/report.ts";
import { openProject } from "../project.ts";
import type { SessionRequest } from "./check-thread.ts";
import { toJsonSafe } from "./program-thread.ts";
import { serveRequests } from "./serve-requests.ts";
import { CheckSession } from "./session.ts";

// The program of the thread that checks one project repeatedly.
let opening: Promise<Outcome<CheckSession>> | null = null;

serveRequests<SessionRequest, Outcome<CheckReport | ReportedPage | null>>(
  async (request, { signal, onProgress }) => {
    opening ??= openSession(request);
    const session = await opening;
    if (!session.ok) {
      opening = null;
      return session;
    }
    if (request.forgets) session.value.forgetDisk();
    const { range } = request;
    const texts = new Map(request.texts);
    if (typeof range === "object" && "claimsOf" in range)
      return toJsonSafe(await session.value.claims(range.claimsOf, { texts, signal }));
    return toJsonSafe((await session.value.check(range, { texts, signal, onProgress })).outcome);
  },
);

async function openSession({ root, docs, only }: SessionRequest): Promise<Outcome<CheckSession>> {
  const opened = await openProject({ root, docs });
  return opened.ok ? accept(new CheckSession(only ? { ...opened.value, only } : opened.value)) : opened;
}
