import type { Fleet } from "../fleet.ts";
import { clearProblem, type Repository, setPaused } from "../store/repositories.ts";
import { nightly } from "./scheduler.ts";

/** Checks a repository because a person asks for it, also without a new commit. */
export async function recheckRepository({ queue }: Fleet, repository: Repository): Promise<void> {
  await queue.add([{ ...nightly(repository), cause: "hand" }]);
}

/** Forgets the failures of a repository, and checks it again. */
export async function retryRepository(fleet: Fleet, repository: Repository): Promise<void> {
  await clearProblem(fleet.query, repository.id);
  await fleet.queue.dropDeadLetters(repository.id);
  await recheckRepository(fleet, repository);
}

/** Ends the pause of a repository. The pause may have come between its steps, so it is checked from the start. */
export async function resumeRepository(fleet: Fleet, repository: Repository): Promise<void> {
  await setPaused(fleet.query, repository.id, false);
  await recheckRepository(fleet, repository);
}
