export function createServer(options) {
  return options;
}

export function startPreview(options) {
  const preview = createServer(options);
  return preview.attach(options.root, { follow: options.follow });
}

export function stopPreview(preview) {
  return preview.attach(preview.root, { follow: false });
}
