export function createServer(options) {
  return options;
}

export function startPreview(options) {
  const preview = createServer(options);
  return preview.mount(options.root, { follow: options.follow });
}

export function stopPreview(preview) {
  return preview.mount(preview.root, { follow: false });
}
