export function createServer(options) {
  return options;
}

export function startPreview(options) {
  const server = createServer(options);
  return server.mount(options.root, { follow: options.follow });
}

export function stopPreview(server) {
  return server.mount(server.root, { follow: false });
}
