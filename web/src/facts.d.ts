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
