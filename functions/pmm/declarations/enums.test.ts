import { readFile } from 'node:fs/promises';
import { shownStatuses } from '../../domain/agent/types.ts';
import { type EnumerationName, enumerations, type Generation, isMember, nameIn, namesIn, valueIn } from './enums.ts';

/** PMM's names in the order of their numbers, from zero. The file names its sources. */
const pmm: Record<Generation, Record<EnumerationName, string[]>> = JSON.parse(
  await readFile(new URL('../../../tests/pmm/enumerations.json', import.meta.url), 'utf8'),
);

/** Names of PMM for which this service has no value. */
const unused: Readonly<Record<string, readonly string[]>> = {
  // Only pmm-agent states it, in messages to the gateway, which reads it as waiting.
  agent_status: ['INITIALIZATION_ERROR', 'AGENT_STATUS_INITIALIZATION_ERROR'],
};

/** Values for which a generation of PMM has no name. */
const ours: Readonly<Record<Generation, Readonly<Record<string, readonly string[]>>>> = {
  2: {
    service_type: ['valkey'],
    agent_type: [
      ...['nomad_agent', 'valkey_exporter', 'qan_mongodb_mongolog_agent', 'rta_mongodb_agent'],
      ...['rta_mysql_agent', 'otel_collector'],
    ],
  },
  3: { agent_type: ['rta_mysql_agent', 'otel_collector'] },
};

const generations: Generation[] = [2, 3];
const names = Object.keys(enumerations) as EnumerationName[];
const cases = generations.flatMap((generation) => names.map((name) => [generation, name] as const));

test.each(cases)("PMM %i: %s has PMM's names in their order", (generation, name) => {
  const named = enumerations[name];
  const added = (ours[generation][name] ?? []).map((value) => nameIn(named, value, generation));
  const wanted = pmm[generation][name].filter((word) => unused[name]?.includes(word) !== true);
  expect(namesIn(named, generation)).toEqual([...wanted, ...added]);
});

test.each(cases)('PMM %i: every name and number of %s means the same value', (generation, name) => {
  const named = enumerations[name];
  const [unset = '', ...words] = pmm[generation][name];
  const read = words.map((word) => valueIn(named, word));
  const numbered = words.map((_, index) => valueIn(named, index + 1));
  expect(numbered).toEqual(read);
  expect(words.filter((_, index) => read[index] === undefined)).toEqual(
    words.filter((word) => unused[name]?.includes(word)),
  );
  expect([valueIn(named, unset), isMember(named, unset)]).toEqual([undefined, true]);
});

test('a status that PMM lacks keeps its stored name, which is read back', () => {
  const status = enumerations.agent_status;
  expect(generations.map((generation) => nameIn(status, 'not_supported', generation))).toEqual([
    'WAITING',
    'AGENT_STATUS_WAITING',
  ]);
  expect(valueIn(status, 'WAITING')).toBe('waiting');
  // Every status of a reply has a name.
  for (const shown of shownStatuses)
    for (const generation of generations) expect(nameIn(status, shown, generation)).not.toBe(status.unset[generation]);
});

test('each client may send names of the other generation, and those of this service', () => {
  for (const [name, named] of Object.entries(enumerations))
    for (const [value, word] of named.words)
      for (const text of [word, named.prefix + word, named.prefix2 + word, word.toLowerCase()])
        expect([name, text, valueIn(named, text)]).toEqual([name, text, value]);
  // Without a mode: sent by pmm-agent, and documented here before AUTO.
  for (const text of ['METRICS_MODE_AUTO', 'METRICS_MODE_INVALID'])
    expect(valueIn(enumerations.metrics_mode, text)).toBeUndefined();
});
