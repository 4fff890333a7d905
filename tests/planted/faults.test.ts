import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plantedFaults } from './faults.ts';

test.each(plantedFaults)(
  '$name: there is one place for it, and a test',
  ({ file, from, to, test: noticed }) => {
    expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
    expect(to).not.toBe(from);
    expect(existsSync(noticed)).toBe(true);
  },
);
