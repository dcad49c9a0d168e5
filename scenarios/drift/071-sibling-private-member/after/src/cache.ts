export class Cache {
  getItem(key: string): string {
    return key;
  }

  setItem(key: string, value: string): string {
    return key + value;
  }

  private isDefaulted(key: string): boolean {
    return key === "";
  }

  removeItem(key: string): string {
    return key;
  }
}
