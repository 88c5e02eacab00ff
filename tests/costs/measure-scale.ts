import { writeFile } from 'node:fs/promises';
import { type FlatCost, measureFlat } from './flat-reads.ts';

/** Numbers of nodes at which docs/scale.md states the read units; each has 2 services and 3 agents. */
const SIZES = [6000, 30_000, 100_000];

/** Measures what docs/scale.md states, in memory. Takes a quarter of an hour: run it by hand, then `npm run generate`. */
const measured: FlatCost[][] = [];
for (const nodes of SIZES) measured.push(await measureFlat(nodes));
const [small = [], ...larger] = measured;
const rows = small.map(({ request, way, readUnits }, index) => {
  const units = [readUnits, ...larger.map((costs) => costs[index]?.readUnits ?? 0)];
  // A property with more values, or of more objects, than the summary keeps is counted from the list.
  return { request, way: way === 'kept' && Math.max(...units) > readUnits * 1.5 ? 'walk' : way, readUnits: units };
});
await writeFile(new URL('scale.json', import.meta.url), `${JSON.stringify({ nodes: SIZES, rows }, undefined, 2)}\n`);
