export function token(): string | undefined {
  return process.env.POSTBOX_API_TOKEN;
}
