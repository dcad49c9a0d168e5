export function createServer(options) {
  return options;
}

export function startPreview(options) {
  const server = createServer(options);
  return server.attach(options.root, { follow: options.follow });
}

export function stopPreview(server) {
  return server.attach(server.root, { follow: false });
}
