import type { Layout, Place } from './layout.ts';

const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

const middle = ({ x, y, width, height }: Place): readonly [number, number] => [x + width / 2, y + height / 2];

/** The nearest node in the direction of an arrow key; what lies aside counts twice. */
export function nextTo({ places }: Layout, from: string, key: string): string | undefined {
  const step = steps[key];
  const here = places.get(from);
  if (step === undefined || here === undefined) return undefined;
  const [left, top] = middle(here);
  const ahead = [...places].flatMap(([id, place]) => {
    const [x, y] = middle(place);
    const along = (x - left) * step[0] + (y - top) * step[1];
    const aside = Math.abs((x - left) * step[1]) + Math.abs((y - top) * step[0]);
    return id !== from && along > 1 && !id.includes(' ') ? [{ id, far: along + 2 * aside }] : [];
  });
  return ahead.toSorted((a, b) => a.far - b.far)[0]?.id;
}
