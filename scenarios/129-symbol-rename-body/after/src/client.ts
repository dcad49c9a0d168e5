export class Client {
  get(path: string) {
    return this.send("GET", path, { cache: true });
  }

  send(method: string, path: string) {
    return fetch(this.base + path, { method });
  }
}
