export type MailErrorCode = "POSTBOX_NO_TOKEN" | "POSTBOX_REFUSED";

export class MailError extends Error {
  readonly code: MailErrorCode;

  constructor(code: MailErrorCode) {
    super(code);
    this.code = code;
  }
}
