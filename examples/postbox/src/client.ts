import { token } from "./env.ts";
import { MailError } from "./errors.ts";

/** Where the mail is handed over. */
export type Region = "eu" | "us";

export interface Message {
  to: string;
  subject: string;
  text: string;
}

export interface Receipt {
  id: string;
  region: Region;
}

export interface ClientOptions {
  /** Where the mail is handed over. */
  region?: Region;
  /** Seconds to wait for the server. */
  timeout?: number;
  /** How often to try again. */
  retries?: number;
  /** Log in with a user name, as version 0 did. */
  legacyAuth?: boolean;
}

const defaults = { region: "eu", timeout: 30, retries: 3, legacyAuth: false } as const;

export class MailClient {
  readonly options: ClientOptions;

  constructor(options: ClientOptions = {}) {
    this.options = { ...defaults, ...options };
  }

  /** Hands one message over and waits for the receipt. */
  async sendMail(message: Message): Promise<Receipt> {
    if (!token()) throw new MailError("POSTBOX_NO_TOKEN");
    return { id: message.to, region: this.options.region ?? "eu" };
  }
}

/** A client with the given options. */
export function createClient(options?: ClientOptions): MailClient {
  return new MailClient(options);
}
