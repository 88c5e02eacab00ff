import { readFile, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { performanceDocument } from './performance-document.ts';
import { agentsSection } from './sections/agents.ts';
import { consoleSection } from './sections/console.ts';
import { cpuSection } from './sections/cpu.ts';
import { bundleSection, loadSection } from './sections/bundles.ts';
import { peerSection } from './sections/peer.ts';
import { fullSize, quickSize, type Size } from './size.ts';
import { type Measurement, missedTargets, newTargets, type Targets } from './targets.ts';

interface Section {
  title: string;
  /** Resolves to a report in Markdown. */
  run: (size: Size, targets: Targets) => Promise<string>;
}

const sections: Record<string, Section> = {
  cpu: { title: 'Processor time of a request, over the bare SDK call that it makes', run: cpuSection },
  bundles: { title: 'Size of the bundles', run: bundleSection },
  load: { title: 'Loading the bundles in fresh processes', run: loadSection },
  peer: { title: 'Requests per second of the local server, beside Fastify with PostgreSQL', run: peerSection },
  console: { title: 'The console in a browser that was never there', run: consoleSection },
  agents: { title: 'Streams of agents at the gateway', run: agentsSection },
};

const options = { check: { type: 'boolean' }, record: { type: 'boolean' }, idle: { type: 'string' } } as const;

const usage = `Usage: npm run bench -- [--check] [--record] [--idle=MINUTES] [section ...]
  --check   exits with 1 if a target is missed
  --record  writes the values that have a target to docs/performance.md
  --idle    how long the streams of the section agents are idle (default: half a minute)
Sections: ${Object.keys(sections).join(', ')}.`;

const document = new URL('../docs/performance.md', import.meta.url);

const print = (text: string) => process.stdout.write(`${text}\n`);

/** So that a benchmark that is cut off takes its servers along. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

interface Settings {
  names: readonly string[];
  check: boolean;
  record: boolean;
  size: Size;
}

/** @throws Error with the reason for an unknown option or section. */
function readSettings(args: readonly string[], isQuick: boolean): Settings {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const unknown = positionals.filter((name) => !Object.hasOwn(sections, name));
  if (unknown.length > 0) throw new Error(`No such section: ${unknown.join(', ')}.`);
  const { check = false, record = false } = values;
  if (record && isQuick) throw new Error('A quick run measures nothing that is worth recording.');
  const size = isQuick ? quickSize : fullSize;
  if (values.idle === undefined) return { names: positionals, check, record, size };
  const idleSeconds = Number(values.idle) * 60;
  if (!(idleSeconds > 0 && idleSeconds <= 86_400)) throw new Error('--idle is a number of minutes, at most a day.');
  return { names: positionals, check, record, size: { ...size, idleSeconds } };
}

function printHead(isQuick: boolean): void {
  const [processor] = cpus();
  print(`# Benchmark${isQuick ? ' (quick: only shows that it runs)' : ''}\n`);
  print(
    `Node ${process.version}, ${arch()}, ${cpus().length} x ${processor?.model.trim() ?? '?'}, load ${loadavg()[0]?.toFixed(1) ?? '?'}.`,
  );
  print('Times are of this machine, at this moment: only the ratios say something, each measured side by side.');
}

async function record(ran: ReadonlyMap<string, readonly Measurement[]>): Promise<void> {
  // Missing before the first record.
  const previous = await readFile(document, 'utf8').catch(() => '');
  await writeFile(document, performanceDocument(previous, ran, Object.keys(sections)));
}

async function main({ names, ...settings }: Settings, isQuick: boolean): Promise<void> {
  printHead(isQuick);
  const ran = new Map<string, readonly Measurement[]>();
  for (const [name, { title, run }] of Object.entries(sections)) {
    if (names.length > 0 && !names.includes(name)) continue;
    print(`\n## ${title}\n`);
    const targets = newTargets();
    print(await run(settings.size, targets));
    ran.set(name, targets.measured);
    // After each section, so that a failure of a later one loses nothing.
    if (settings.record) await record(ran);
  }
  const missed = missedTargets(ran);
  if (missed.length === 0) return;
  print(`\n## Missed targets\n\n${missed.map((line) => `- ${line}`).join('\n')}`);
  if (settings.check) process.exitCode = 1;
}

const isQuick = process.env['BENCH_QUICK'] === '1';
let settings: Settings | undefined;
try {
  settings = readSettings(process.argv.slice(2), isQuick);
} catch (error) {
  print(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 2;
}
if (settings !== undefined) await main(settings, isQuick);
