import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';

interface FindRegistrantProps {
  readonly find: string | undefined;
  readonly unless: string | undefined;
  readonly onFind: (sought: string | undefined) => void;
}

/** Somebody by part of a name or an address. */
export function FindRegistrant({ find, unless, onFind }: FindRegistrantProps) {
  const [sought, setSought] = useState(find ?? '');
  return (
    <form
      role="search"
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (unless === undefined) onFind(sought.trim() === '' ? undefined : sought.trim());
      }}
    >
      <Input
        size="s"
        type="search"
        aria-label="Find a registrant"
        placeholder="Name, email or phone"
        maxLength={200}
        value={sought}
        onChange={({ target: { value } }) => setSought(value)}
      />
      <Button size="s" type="submit" unless={unless}>
        Find
      </Button>
      {find !== undefined && (
        <Button
          size="s"
          kind="ghost"
          onClick={() => {
            setSought('');
            onFind(undefined);
          }}
        >
          Show all
        </Button>
      )}
    </form>
  );
}
