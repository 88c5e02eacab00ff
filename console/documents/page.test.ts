import { htmlOf } from './page.ts';

const groups = [
  {
    title: 'Use & run',
    entries: [
      { page: 'a.html', title: 'A' },
      { page: 'b.html', title: 'B' },
    ],
  },
] as unknown as Parameters<typeof htmlOf>[1];

const section = (depth: number, fragment: string) => ({ depth, fragment, text: `Part ${fragment}` }) as never;

const contentsOf = (...depths: number[]) => {
  const sections = depths.map((depth, index) => section(depth, String(index)));
  const html = htmlOf({ title: 'A', page: 'a.html', html: '<p>text</p>', sections }, groups);
  const [, between = ''] = /<main[^>]*>\n([\s\S]*?)\n<article>/.exec(html) ?? [];
  return [...between.matchAll(/depth-(\d)"><a href="#(\d)"/g)]
    .map(([, depth, fragment]) => `${depth} ${fragment}`)
    .concat(between === '' ? ['none'] : []);
};

test('a page with two parts or more has its contents, of two depths', () => {
  expect(contentsOf(1, 2, 3, 4)).toEqual(['2 1', '3 2']);
  expect(contentsOf(1, 2)).toEqual(['none']);
  expect(contentsOf()).toEqual(['none']);
});

test('the menu marks the page, and no other one', () => {
  const html = htmlOf({ title: 'A', page: 'a.html', html: '', sections: [] }, groups);
  expect(html).toContain('Use &amp; run');
  expect(html).toContain('<a href="a.html" aria-current="page">A</a>');
  expect(html).toContain('<a href="b.html">B</a>');
});
