export class Cache {
  getItem(key: string): string {
    return key;
  }

  setItem(key: string, value: string): string {
    return key + value;
  }

  removeItem(key: string): string {
    return key;
  }
}
