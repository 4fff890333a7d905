/** Which things belong together, told pair by pair: two that share a third are in one group. */
export class UnionFind {
  readonly #parents = new Map<string, string>();

  has(member: string): boolean {
    return this.#parents.has(member);
  }

  /** The one that stands for the member's whole group. */
  find(member: string): string {
    let root = member;
    for (let parent = this.#parents.get(root); parent !== undefined && parent !== root;) {
      root = parent;
      parent = this.#parents.get(root);
    }
    this.#parents.set(member, root);
    return root;
  }

  join(members: readonly string[]): void {
    const roots = members.map((member) => this.find(member));
    for (const root of roots) this.#parents.set(root, roots[0]!);
  }

  /** Every group, its members sorted, the groups sorted. */
  groups(): string[][] {
    const groups = Map.groupBy(this.#parents.keys(), (member) => this.find(member));
    return [...groups.values()].map((group) => group.toSorted()).toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1));
  }
}
