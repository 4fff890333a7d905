declare module 'virtual:catalogue' {
  import type { Permission } from '../../src/kernel/caller.ts';
  interface Entry {
    readonly route: string;
    readonly permission?: Permission;
    readonly tool?: true;
    readonly power?: string;
  }
  const catalogue: Readonly<Record<string, Entry>>;
  export default catalogue;
}

declare module 'virtual:filters' {
  type Kind = 'number' | 'date' | 'text' | 'fixed' | 'boolean';
  interface Field {
    readonly name: string;
    readonly kind: Kind;
    readonly choices?: readonly string[];
    readonly isMoney: boolean;
  }
  const filters: {
    readonly operatorsOf: Readonly<Record<Kind, readonly string[]>>;
    readonly fields: readonly Field[];
  };
  export default filters;
}

declare module 'virtual:imports' {
  const limits: {
    readonly mostRows: number;
    readonly mostRowsACall: number;
    readonly mostColumns: number;
    /** Targets that say who somebody is. */
    readonly namingTargets: readonly string[];
  };
  export default limits;
}

declare module 'virtual:roles' {
  import type { Permission, Role } from '../../src/kernel/caller.ts';
  const roles: readonly {
    readonly role: Role;
    readonly permissions: readonly Permission[];
    readonly managesAccess: boolean;
  }[];
  export default roles;
}

declare module 'virtual:platforms' {
  const platforms: readonly {
    readonly name: string;
    readonly label: string;
    readonly fields: readonly {
      readonly name: string;
      readonly label: string;
      readonly secret: boolean;
      readonly words: string;
    }[];
  }[];
  export default platforms;
}

declare module 'virtual:reasons' {
  const reasons: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<'email' | 'sms', string>>>>>
  >;
  export default reasons;
}

declare module 'virtual:workflows' {
  import type { FormField } from '../../src/domain/workflows/shape/node-fields.ts';
  interface Kind {
    readonly label: string;
    readonly fields: Readonly<Record<string, FormField>>;
    /** The fields that name a next node; without a needed one a run gets stuck. */
    readonly edges: readonly { readonly field: string; readonly needed: boolean }[];
  }
  interface NodeKind extends Kind {
    /** What a run can do there, for its path. */
    readonly deeds: Readonly<Record<string, string>>;
  }
  const workflows: {
    readonly mostNodes: number;
    readonly nodes: Readonly<Record<string, NodeKind>>;
    readonly triggers: Readonly<Record<string, Kind>>;
  };
  export default workflows;
}
