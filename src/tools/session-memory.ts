import { KeptRetries } from "./kept-retries.ts";
import { ServedTexts } from "./served.ts";

/** What a session knows of its earlier calls: the lines that it was shown, and the corrected calls that it was offered. */
export class SessionMemory {
  readonly served = new ServedTexts();
  readonly retries = new KeptRetries();
}
