export type Sail = "mizzen" | "jib" | "genoa";

export function hoist(sail: Sail): Sail {
  return sail;
}
