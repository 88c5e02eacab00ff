interface BrowserModule {
  browser: Record<'open' | 'close', () => void>;
}

// By its address: this file knows no types of a page.
const { browser } = (await import(new URL('browser.tsx', import.meta.url).href)) as BrowserModule;

const globals = () => Object.getOwnPropertyDescriptors(globalThis);

test('a test file without JSX sees no page, and the globals of Node as they were before another file had one', () => {
  const before = globals();
  expect(before).not.toHaveProperty('document');
  browser.open();
  expect(globals()).toHaveProperty('document');
  expect(AbortSignal).not.toBe(before.AbortSignal.value);
  browser.close();
  expect(globals()).toEqual(before);
});

test('React is the build that users have, also in a file without a page', async () => {
  expect(process.env['NODE_ENV']).toBe('test');
  expect((await import('react')).act).toBeUndefined();
});
