export class Wizard {
  addCommand(name: string): this {
    return this;
  }

  addOption(name: string): this {
    return this;
  }

  addEpilogue(text: string): this {
    return this;
  }

  addGroup(name: string): this {
    return this;
  }
}
