import type { Table } from '../../shared/db/table.ts';
import { inFull } from '../../shared/testing/extent.ts';
import { startInventory } from '../support/inventory.ts';
import { wipe } from './invariants.ts';
import { countFrom, Random, seedFrom } from './random.ts';
import * as rounds from './rounds.ts';
import { cutOff, type Disturbance, disturbed } from './disturbances.ts';
import {
  checkedBefore,
  conditions,
  forgettingIndexEntries,
  jitter,
  lagging,
  namesByIndex,
  split,
  without,
} from './sabotage.ts';

/*
 * The rounds are worth something only if they turn red when the inventory is defective. Each line here is a defect, the
 * rounds that must notice it, and what they must say: a defect that merely makes requests fail would prove nothing.
 */

const seed = seedFrom('SEED');
/** A race that goes well by chance says nothing: so often the rounds may try. */
const attempts = countFrom('ATTEMPTS', 30);

/** The longest time between a check and its write. Longer than a request takes on a busy machine. */
const WINDOW_MS = 40;

type Disturbing = (random: Random, table: Table) => Disturbance[];
type Defect = [name: string, disturbing: Disturbing, noticing: rounds.Round[], said: RegExp];

const cut = cutOff();
const removalInPieces = rounds.removalInPieces(130, (writes) =>
  writes === undefined ? cut.never() : cut.after(writes),
);

const noticedBy: Record<keyof typeof conditions, [rounds.Round[], RegExp]> = {
  'a claim is free': [[rounds.sameNamesAdded], /would have to stand for two/],
  'what is referred to exists': [
    [rounds.addsAgainstRemoval, rounds.movesAgainstRemovals],
    /(runs on|runs under|gives insight into) .* which is not there/,
  ],
  'what is referred to is not being removed': [[removalInPieces], /being removed answered an add with 201/],
  'what is referred to is of the right type': [[rounds.insightsAgainstForcedRemoval], /gives insight into .* of type/],
  'the object is as it was read': [
    [rounds.plainChangesOfOneObject],
    /is at revision \d+ after \d+ changes|lost changes|that named revision/,
  ],
  'nothing depends on what is removed': [
    [rounds.addsAgainstRemoval],
    /(runs on|runs under|gives insight into) .* which is not there/,
  ],
};

const forgets = (name: keyof typeof conditions): Defect => [
  `forgets to require that ${name}`,
  () => [without(conditions[name])],
  ...noticedBy[name],
];

const checksFirst = (name: keyof typeof conditions): Defect => [
  `checks that ${name} before it writes and not in the write`,
  (random) => [checkedBefore(conditions[name], random, WINDOW_MS)],
  ...noticedBy[name],
];

const nameLists = { NODE_NAME: 'NODES', SERVICE_NAME: 'SERVICES' };

const defects: Defect[] = [
  forgets('a claim is free'),
  forgets('what is referred to exists'),
  forgets('what is referred to is not being removed'),
  forgets('what is referred to is of the right type'),
  forgets('the object is as it was read'),
  forgets('nothing depends on what is removed'),
  checksFirst('a claim is free'),
  checksFirst('what is referred to exists'),
  checksFirst('the object is as it was read'),
  checksFirst('nothing depends on what is removed'),
  [
    'looks names up in the index, up to date, instead of claiming them',
    (_random, table) => [namesByIndex(table, nameLists)],
    ...noticedBy['a claim is free'],
  ],
  [
    'looks names up in an index that lags instead of claiming them',
    (_random, table) => [
      namesByIndex(table, nameLists),
      lagging(table, { operations: 10, reads: 'index queries' }).disturbance,
    ],
    ...noticedBy['a claim is free'],
  ],
  [
    'writes a transaction in single writes and stops at the first that is refused',
    (random) => [split(random, 2, 'stop')],
    [rounds.sameNames, rounds.addsAgainstRemoval],
    /is missing|belongs to nothing|is not there|no add of it was acknowledged/,
  ],
  [
    'writes a transaction in single writes and leaves out those that are refused',
    (random) => [split(random, 2, 'ignore')],
    [rounds.sameNames, rounds.addsAgainstRemoval],
    /is missing|belongs to nothing|is not there|no add of it was acknowledged/,
  ],
  [
    'adds objects without the index entries of their labels',
    () => [forgettingIndexEntries('Put')],
    [rounds.listsMeanwhile, rounds.changesOfOneObject],
    /[A-Z]+#(team|region|c\d+_\d+)#.* is missing/,
  ],
  [
    'leaves the index entries of labels behind',
    () => [forgettingIndexEntries('Delete')],
    [rounds.listsMeanwhile],
    /[A-Z]+#(team|region)#.* belongs to nothing/,
  ],
  [
    'reads objects that may be out of date',
    (_random, table) => [lagging(table, { operations: 10, milliseconds: 50, reads: 'objects' }).disturbance],
    [rounds.ownWrites],
    /reads .* after the/,
  ],
];

// The short form tries every sixth.
const tried = inFull(
  defects,
  defects.filter((_, index) => index % 6 === 0),
);

test.each(tried)(
  `the rounds notice an inventory that %s (SEED=${seed})`,
  async (_defect, disturbing, noticing, said) => {
    const random = new Random(seed);
    const inventory = await startInventory({
      table: (table) =>
        disturbed(table, [cut.disturbance, jitter(random.fork(), 1), ...disturbing(random.fork(), table)]),
    });
    try {
      let complaints: string[] = [];
      const isNoticed = () => complaints.some((complaint) => said.test(complaint));
      for (let attempt = 0; attempt < attempts && !isNoticed(); attempt += 1) {
        complaints = await noticing[attempt % noticing.length]!({ ...inventory, random });
        await wipe(inventory.table);
      }
      expect({ isNoticed: isNoticed(), last: complaints.slice(0, 5) }).toMatchObject({ isNoticed: true });
    } finally {
      await inventory.stop();
    }
  },
);
