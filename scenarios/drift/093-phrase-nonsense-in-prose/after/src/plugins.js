export function warnAboutPlugin(name) {
  console.warn(`please try the ${name} plugin without the cache`);
}

export function loadPlugin(name) {
  warnAboutPlugin(name);
  return name;
}
