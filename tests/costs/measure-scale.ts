import { writeFile } from 'node:fs/promises';
import { measureFlat } from './flat-reads.ts';

/** Numbers of nodes at which docs/scale.md states the read units; each has 2 services and 3 agents. */
const SIZES = [6000, 30_000] as const;

/** Measures what docs/scale.md states. Takes minutes: run it by hand, then `npm run generate`. */
const [small, large] = [await measureFlat(SIZES[0]), await measureFlat(SIZES[1])];
const rows = small.map(({ request, way, readUnits }, index) => ({
  request,
  // A property with more values than the summary keeps is counted from the list.
  way: way === 'kept' && (large[index]?.readUnits ?? 0) > readUnits * 1.5 ? 'walk' : way,
  readUnits: [readUnits, large[index]?.readUnits ?? 0],
}));
await writeFile(new URL('scale.json', import.meta.url), `${JSON.stringify({ nodes: SIZES, rows }, undefined, 2)}\n`);
