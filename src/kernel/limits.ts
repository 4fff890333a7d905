/** Limits of the service, which the settings show. */
export const limits = {
  /** list_property_configs answers all of them at once, and a model must be able to read it. */
  property_configs: 300,
  values_of_in: 500,
  identifiers_of_person: 50,
} as const;
