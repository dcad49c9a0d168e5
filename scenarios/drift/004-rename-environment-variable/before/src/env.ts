export function token(): string | undefined {
  return process.env.POSTBOX_TOKEN;
}
