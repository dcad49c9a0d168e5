export type Sail = "genoa" | "jib" | "mizzen";

export function hoist(sail: Sail): Sail {
  return sail;
}
