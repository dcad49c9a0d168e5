/** `suture fleet` without its package. */
export const fleetText = {
  needsPackage: (source: string): string =>
    `\`suture fleet\` comes in a package of its own; install it beside Suture with \`npm install ${source}\`${source.endsWith(".tgz") ? ", which `npm pack --workspace suture-fleet` makes in a clone" : ""}`,
};
