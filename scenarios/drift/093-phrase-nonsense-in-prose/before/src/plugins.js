export function warnAboutPlugin(name) {
  console.warn(`the ${name} plugin is scheduled for removal in Millrace 6.0`);
}

export function loadPlugin(name) {
  warnAboutPlugin(name);
  return name;
}
