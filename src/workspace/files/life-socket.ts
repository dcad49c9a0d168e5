/**
 * Listens on a Unix socket until the returned function is called. The kernel closes it with the process, and then
 * connecting fails at once in every container of this machine. `null` where the file system has no sockets.
 */
export async function showLifeAt(path: string): Promise<(() => Promise<void>) | null> {
  const { createServer } = process.getBuiltinModule("node:net");
  const server = createServer((connection) => void connection.destroy());
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen({ path }, () => resolve(true));
  });
  if (!isListening) return null;
  server.unref();
  server.on("error", () => {});
  // Closing also removes the name.
  return () => new Promise((resolve) => void server.close(() => resolve()));
}

/** Whether no process listens on a socket any more. A missing name or a refused access proves nothing. */
export async function hasEndedAt(path: string): Promise<boolean> {
  const { connect } = process.getBuiltinModule("node:net");
  return new Promise((resolve) => {
    const connection = connect({ path });
    connection.once("connect", () => {
      connection.destroy();
      resolve(false);
    });
    connection.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ECONNREFUSED"));
  });
}
