export class Client {
  get(path: string) {
    return this.send("GET", path);
  }

  send(method: string, path: string) {
    return fetch(this.base + path, { method });
  }
}
