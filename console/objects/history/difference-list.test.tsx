import { renderToStaticMarkup } from 'react-dom/server';
import type { Difference } from '../../model/differences.ts';
import { DifferenceList } from './difference-list.tsx';

/** What a list says of each field, with a sign for each side: `distro: − a → + b`. */
function told(differences: readonly Partial<Difference>[], whole = false): (string | null)[] {
  const all = differences.map((difference) => ({
    path: 'distro',
    label: 'Distro',
    target: undefined,
    before: undefined,
    after: undefined,
    ...difference,
  }));
  const page = document.createElement('div');
  page.innerHTML = renderToStaticMarkup(<DifferenceList differences={all} whole={whole} />);
  for (const mark of page.querySelectorAll('[aria-label=became]')) mark.textContent = '→';
  return [...page.querySelectorAll('.differences > div')].map(({ textContent }) => textContent);
}

test('a change shows the former and the new value, and a single value has a sign', () => {
  expect(told([{ before: 'a', after: 'b' }, { before: 'a' }, { after: 'b' }])).toEqual([
    ...['Distroa→b', 'Distro−a', 'Distro+b'],
  ]);
});

test("a whole object shows each field's value without a sign", () => {
  expect(told([{ after: 'b' }], true)).toEqual(['Distrob']);
  expect(told([{ before: 'a' }], true)).toEqual(['Distroa']);
});

test('an empty text is shown as empty', () => {
  expect(told([{ after: '' }], true)).toEqual(['Distro(empty)']);
  expect(told([{ before: '', after: 'b' }])).toEqual(['Distro(empty)→b']);
});
