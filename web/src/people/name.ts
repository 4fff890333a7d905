interface Named {
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly primary_email: string | null;
  readonly primary_phone: string | null;
}

/** What a person is called: by name, else by how they are reached. */
export const nameOf = ({ first_name, last_name, primary_email, primary_phone }: Named): string =>
  [first_name, last_name].filter(Boolean).join(' ') || primary_email || primary_phone || 'Somebody unknown';

export const initialsOf = (person: Named): string => {
  const { first_name, last_name } = person;
  const letters = [first_name, last_name].filter(Boolean).map((name) => Array.from(name!)[0]);
  return (letters.length > 0 ? letters.join('') : nameOf(person).slice(0, 2)).toUpperCase();
};
