import { checksums } from '../support/furnish.ts';
import { isLong } from '../support/volume.ts';
import type { World } from '../support/world.ts';

const everyTenth = 10; // to read every table takes as long as what is tried in between

/** Watches that calls which are refused write nothing: in the gate after every tenth, and when it is asked to. */
export class HeldUnchanged {
  readonly #world: () => World;
  #before: Record<string, string> = {};
  #calls = 0;
  readonly #untold: string[] = [];

  constructor(world: () => World) {
    this.#world = world;
  }

  /** Everything is as it is meant to be. */
  async begin(): Promise<void> {
    this.#before = await checksums(this.#world().admin);
  }

  /** The tables that changed, each told once: what comes after it is held to what is there then. */
  async changed(): Promise<string[]> {
    const before = this.#before;
    await this.begin();
    const changed = Object.keys(this.#before).filter((table) => this.#before[table] !== before[table]);
    return [...this.#untold.splice(0), ...changed];
  }

  /** What is changed by this is meant. What changed before is told by whoever asks next. */
  async meaning<Made>(make: () => Promise<Made>): Promise<Made> {
    this.#untold.push(...(await this.changed()));
    const made = await make();
    await this.begin();
    return made;
  }

  async changedByCalls(): Promise<string[]> {
    return isLong || ++this.#calls % everyTenth === 0 ? this.changed() : [];
  }
}
