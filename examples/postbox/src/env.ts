/** The token that the server knows us by. */
export function token(): string | undefined {
  return process.env.POSTBOX_TOKEN;
}
