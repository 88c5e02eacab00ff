import { writeFile } from 'node:fs/promises';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { measureFlat } from './flat-reads.ts';

/** Numbers of nodes at which docs/scale.md states the read units; each has 2 services and 3 agents. */
const SIZES = [6000, 30_000, 100_000];

/** In a file: 100,000 nodes do not fit the memory of a small machine. */
async function measure(nodes: number) {
  const dataDir = await newDataDir();
  try {
    return await measureFlat(nodes, dataDir);
  } finally {
    await removeDataDir(dataDir);
  }
}

/** Measures what docs/scale.md states. Takes half an hour: run it by hand, then `npm run generate`. */
const measured = [];
for (const nodes of SIZES) {
  measured.push(await measure(nodes));
  process.stderr.write(`${nodes} nodes\n`);
}
const [small = [], ...larger] = measured;
const rows = small.map(({ request, way, readUnits }, index) => {
  const units = [readUnits, ...larger.map((costs) => costs[index]?.readUnits ?? 0)];
  // A property with more values, or more objects, than the summary keeps is counted from the list.
  return { request, way: way === 'kept' && Math.max(...units) > readUnits * 1.5 ? 'walk' : way, readUnits: units };
});
await writeFile(new URL('scale.json', import.meta.url), `${JSON.stringify({ nodes: SIZES, rows }, undefined, 2)}\n`);
