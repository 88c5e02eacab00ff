import { arch, cpus, loadavg } from 'node:os';
import { capacitySection } from './sections/capacity.ts';
import { consoleSection } from './sections/console.ts';
import { cpuSection } from './sections/cpu.ts';
import { declarationSection } from './sections/declarations.ts';
import { discoverySection } from './sections/discovery.ts';
import { bulkSection } from './sections/bulk.ts';
import { bundleSection, loadSection } from './sections/bundles.ts';
import { heartbeatSection } from './sections/heartbeats.ts';
import { followingSection } from './sections/following.ts';
import { memorySection } from './sections/memory.ts';
import { pageSection } from './sections/pages.ts';
import { serverSection } from './sections/server.ts';
import { fullSize, quickSize, type Size } from './size.ts';

const sections: Record<string, { title: string; run: (size: Size) => Promise<string> }> = {
  cpu: { title: 'Processor time of a request, over the bare SDK call that it makes', run: cpuSection },
  bundles: { title: 'Size of the bundles', run: bundleSection },
  load: { title: 'Loading the bundles in fresh processes', run: loadSection },
  memory: { title: 'Time of a request, and its price, by the memory of the function', run: memorySection },
  capacity: { title: 'Capacity per request', run: capacitySection },
  pages: { title: 'The first page of a long list and a deep one', run: pageSection },
  declarations: { title: 'Declarations and selectors, beside the plain calls', run: declarationSection },
  discovery: { title: 'Discovering targets, over paging through the list of agents', run: discoverySection },
  bulk: { title: 'A batch and its operations one by one; pages of an export', run: bulkSection },
  heartbeats: { title: 'Agent processes that all report at once', run: heartbeatSection },
  following: { title: 'Following what changes in a minute, beside polling lists', run: followingSection },
  server: { title: 'Requests per second of the local server', run: serverSection },
  console: { title: 'The console in a browser that was never there', run: consoleSection },
};

const print = (text: string) => process.stdout.write(`${text}\n`);

/** So that a benchmark that is cut off takes its servers along. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

async function main(names: readonly string[], isQuick: boolean): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(sections, name));
  if (unknown.length > 0) {
    print(`No such section: ${unknown.join(', ')}. There are ${Object.keys(sections).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const [processor] = cpus();
  print(`# Benchmark${isQuick ? ' (quick: only shows that it runs)' : ''}\n`);
  print(
    `Node ${process.version}, ${arch()}, ${cpus().length} x ${processor?.model.trim() ?? '?'}, load ${loadavg()[0]?.toFixed(1) ?? '?'}.`,
  );
  print('Times are of this machine, at this moment: only the ratios say something, each measured side by side.');
  for (const [name, { title, run }] of Object.entries(sections)) {
    if (names.length > 0 && !names.includes(name)) continue;
    print(`\n## ${title}\n`);
    print(await run(isQuick ? quickSize : fullSize));
  }
}

await main(process.argv.slice(2), process.env['BENCH_QUICK'] === '1');
