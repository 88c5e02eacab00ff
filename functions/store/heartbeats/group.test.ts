import { inflateRawSync } from 'node:zlib';
import { type GroupMember, membersAttributes, timesAttributes, toGroupMembers, toGroupTimes } from './group.ts';

const unpacked = (bytes: unknown): any => JSON.parse(inflateRawSync(bytes as Uint8Array).toString());

test.each<[string, [slot: number, time: number][], latest: number, runs: number[][]]>([
  ['no slots', [], 0, []],
  ['one slot', [[3, 1000]], 1000, [[3, 1, 0]]],
  [
    'slots in a row with the same time',
    [
      [2, 1000],
      [0, 1000],
      [1, 1000],
    ],
    1000,
    [[0, 3, 0]],
  ],
  [
    'slots around one that left',
    [
      [0, 1000],
      [2, 1000],
    ],
    1000,
    [
      [0, 1, 0],
      [2, 1, 0],
    ],
  ],
  [
    'slots with an older time',
    [
      [0, 900],
      [1, 1000],
      [2, 1000],
    ],
    1000,
    [
      [0, 1, 100],
      [1, 2, 0],
    ],
  ],
])('the times of %s are stored as runs, and read back', (_, times, latest, runs) => {
  const item = timesAttributes({ version: 7, membersVersion: 5, times: new Map(times) });
  expect(item).toMatchObject({ version: 7, members_version: 5, latest });
  expect(unpacked(item['runs'])).toEqual(runs);
  expect(toGroupTimes(item)).toEqual({ version: 7, membersVersion: 5, times: new Map(times) });
});

const life = { lifetime: 'permanent', staleAfter: 1, offlineAfter: 2, removeAfter: 3 } as const;

const member = (slot: number, more: Partial<GroupMember> = {}): GroupMember => ({
  ...{ slot, pmmAgentId: `p${slot}`, nodeId: `n${slot}`, digest: `d${slot}`, life, heartbeatAt: slot * 10 },
  ...more,
});

test('members are stored as columns, with each life once, and read back', () => {
  const other = { ...life, lifetime: 'ephemeral', staleAfter: 9 } as const;
  const group = {
    version: 3,
    nextSlot: 9,
    defaults: '10m',
    members: [member(1), member(4, { life: other }), member(8)],
  };
  const item = membersAttributes(group);
  expect(item).toMatchObject({ version: 3, next_slot: 9, defaults: '10m' });
  expect(unpacked(item['members'])).toMatchObject({ slots: [1, 4, 8], life: [0, 1, 0], lives: [life, other] });
  expect(toGroupMembers(item)).toEqual(group);
});
