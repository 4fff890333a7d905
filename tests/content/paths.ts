/** The paths of the variables list, as callers write them. */
export const user = (field: string): string => `{{context.root_context.org_user.${field}}}`;
export const custom = (key: string): string => user(`custom_properties.${key}`);
export const root = (field: string): string => `{{context.root_context.${field}}}`;
