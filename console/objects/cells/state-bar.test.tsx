import { renderToStaticMarkup } from 'react-dom/server';
import type { StateCounts } from '../../model/health.ts';
import { StateBar } from './state-bar.tsx';

/** The place and the width of the part of each state that has one. */
function partsOf(counts: StateCounts): Record<string, [x: number, width: number]> {
  const parts = renderToStaticMarkup(<StateBar counts={counts} />).matchAll(
    /class="state-(\w+)" x="([\d.]+)" width="([\d.]+)"/g,
  );
  return Object.fromEntries(
    [...parts].flatMap(([, state = '', x, width]) => (width === '0' ? [] : [[state, [Number(x), Number(width)]]])),
  );
}

test('each state has its share of 72 pixels in order, and an absent state none', () => {
  expect(partsOf({ live: 3, offline: 1 })).toEqual({ live: [0, 54], offline: [54, 18] });
  expect(partsOf({ stale: 5 })).toEqual({ stale: [0, 72] });
});

test('a bar without objects is empty', () => {
  expect(partsOf({})).toEqual({});
});
